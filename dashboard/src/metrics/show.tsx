import { useOptions } from '../api/all.ts'
import type { Prefetch } from '../api/list.ts'
import { NewestOnly } from '../ui/form/newest-only.tsx'
import { Page } from '../ui/frame/page.tsx'
import { type Address, useAddress } from '../ui/go/address.ts'
import { Filter, ListExact, ListFilter, ListTools } from '../ui/table/tools.tsx'
import { type Filter as Filtered, filterNames, metricsOf } from './counts.ts'
import { channelFigures, EmailFigures, OneChannel } from './figures.tsx'
import { periodOf, periods } from './period.ts'

export const prefetch: Prefetch = (client, { search }) =>
  client.prefetchQuery(metricsOf('emails', periodOf(search.period), filterOf(search)))

export default function Metrics() {
  const [address] = useAddress()
  const period = periodOf(address.period)
  const filter = filterOf(address)
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Page title="Metrics">
      <ListTools total="Hours and days are in UTC">
        <PeriodFilter />
        <Filters />
      </ListTools>
      <NewestOnly nouns={nouns.map(({ noun }) => noun)} />
      <div className="metrics">
        <EmailFigures period={period} filter={filter} />
        {isFiltered && (
          <p className="metrics-note muted">
            {filter.workflowId
              ? 'The figures of SMS, WhatsApp and webhooks are of the whole team.'
              : 'The figures below are of the whole team.'}
          </p>
        )}
        {channelFigures.map((figure) => (
          <OneChannel key={figure.channel} {...figure} period={period} filter={filter} />
        ))}
      </div>
    </Page>
  )
}

/** Returns the filter of the address: the first, where somebody wrote several. */
function filterOf(address: Address): Filtered {
  const name = filterNames.find((one) => address[one] !== undefined)
  return name ? { [name]: address[name] } : {}
}

function PeriodFilter() {
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
function Filters() {
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
