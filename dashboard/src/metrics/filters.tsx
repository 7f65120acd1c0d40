import { useOptions } from '../api/all.ts'
import { type Address, useAddress } from '../ui/go/address.ts'
import { Filter, ListExact, ListFilter } from '../ui/table/tools.tsx'
import { type Filter as Filtered, filterNames } from './counts.ts'
import { periodOf, periods } from './period.ts'

/** Returns the filter of the address: the first, where somebody wrote several. */
export function filterOf(address: Address): Filtered {
  const name = filterNames.find((one) => address[one] !== undefined)
  return name ? { [name]: address[name] } : {}
}

export function PeriodFilter() {
  const [address, change] = useAddress()
  const { value } = periodOf(address.period)
  return <Filter name="Period" options={periods} value={value} onChange={(period) => change({ period })} />
}

const nouns = [
  { name: 'Domain', parameter: 'domainId', noun: 'domains' },
  { name: 'Broadcast', parameter: 'broadcastId', noun: 'broadcasts' },
  { name: 'Workflow', parameter: 'workflowId', noun: 'workflows' },
] as const

/** Filters of which one counts: a choice takes the others back. */
export function Filters() {
  return (
    <>
      {nouns.map((one) => (
        <NounFilter key={one.noun} {...one} />
      ))}
      <ListExact name="Tag" parameter="tag" example="name:value" replaces={[...filterNames]} />
    </>
  )
}

function NounFilter({
  name,
  parameter,
  noun,
}: {
  name: string
  parameter: string
  noun: (typeof nouns)[number]['noun']
}) {
  const options = useOptions(`/v1/${noun}`)
  return (
    <ListFilter name={name} parameter={parameter} all={`All ${noun}`} options={options} replaces={[...filterNames]} />
  )
}
