import { useOptions } from '../api/all.ts'
import { type Address, useAddress } from '../ui/go/address.ts'
import { ListExact, ListFilter } from '../ui/table/tools.tsx'
import { type Filter, filterNames } from './counts.ts'
import { periodOf, periods } from './period.ts'

/** Returns the filter of the address: the first, where somebody wrote several. */
export function filterOf(address: Address): Filter {
  const name = filterNames.find((one) => address[one] !== undefined)
  return name ? { [name]: address[name] } : {}
}

export function PeriodFilter() {
  const [address, change] = useAddress()
  return (
    <div className="field filter">
      <label htmlFor="period" className="unseen">
        Period
      </label>
      <select
        id="period"
        className="input"
        value={periodOf(address.period).value}
        onChange={(event) => change({ period: event.target.value })}
      >
        {periods.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  )
}

const nouns = [
  { name: 'Domain', parameter: 'domainId', noun: 'domains' },
  { name: 'Broadcast', parameter: 'broadcastId', noun: 'broadcasts' },
  { name: 'Workflow', parameter: 'workflowId', noun: 'workflows' },
]

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

function NounFilter({ name, parameter, noun }: { name: string; parameter: string; noun: string }) {
  const options = useOptions(noun)
  return (
    <ListFilter name={name} parameter={parameter} all={`All ${noun}`} options={options} replaces={[...filterNames]} />
  )
}
