import { type QueryClient, useQuery } from '@tanstack/react-query'
import { get } from '../api/call.ts'
import type { Page as ListPage } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import { type Address, useAddress } from '../ui/address.ts'
import { Page } from '../ui/page.tsx'
import { ListFilter, ListTools } from '../ui/table/tools.tsx'
import { metricsOf } from './counts.ts'
import { channelFigures, EmailFigures, OneChannel } from './figures.tsx'
import { periodOf, periods } from './period.ts'

export function prefetch(client: QueryClient, { search }: { search: Address }) {
  void client.prefetchQuery(metricsOf('emails', periodOf(search.period), search.domainId))
}

export default function Metrics() {
  const [{ period: value, domainId }] = useAddress()
  const period = periodOf(value)
  return (
    <Page title="Metrics">
      <ListTools total="Hours and days are in UTC">
        <Period />
        <Domain />
      </ListTools>
      <div className="metrics">
        <EmailFigures period={period} domainId={domainId} />
        {domainId && <p className="metrics-note muted">The figures below are of the whole team.</p>}
        {channelFigures.map((figure) => (
          <OneChannel key={figure.channel} {...figure} period={period} />
        ))}
      </div>
    </Page>
  )
}

function Period() {
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

function Domain() {
  const domains = useQuery({
    queryKey: keys.part('domains', 'options'),
    queryFn: ({ signal }) => get<ListPage<{ id: string; name: string }>>('/v1/domains?limit=100', { signal }),
  }).data?.data
  const options = (domains ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <ListFilter name="Domain" parameter="domainId" all="All domains" options={options} />
}
