import type { Prefetch } from '../api/list.ts'
import { Page } from '../ui/frame/page.tsx'
import { useAddress } from '../ui/go/address.ts'
import { ListTools } from '../ui/table/tools.tsx'
import { metricsOf } from './counts.ts'
import { channelFigures, EmailFigures, OneChannel } from './figures.tsx'
import { Filters, filterOf, PeriodFilter } from './filters.tsx'
import { periodOf } from './period.ts'

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
