import { requestsKeptDays } from '../../../../src/platform/request-log/kept.ts'
import { useOptions } from '../../api/all.ts'
import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { useMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { startOfDay } from '../../ui/form/local-time.ts'
import { Page } from '../../ui/frame/page.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { type Address, useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { ListDay, ListExact, ListFilter, ListTools, MoreFilters } from '../../ui/table/tools.tsx'
import { Time } from '../../ui/text/time.tsx'
import { number } from '../../ui/text/words.ts'
import { readStatus } from './log.ts'
import { type LoggedRequest, lookOfAnswer, whoReads } from './request.ts'

const columns: Column<LoggedRequest>[] = [
  {
    name: 'Request',
    width: '3fr',
    narrow: 'first',
    cell: ({ method, path }) => (
      <span className="mono" title={path}>
        {method} {path}
      </span>
    ),
  },
  {
    name: 'Status',
    width: '72px',
    narrow: 'first-end',
    cell: ({ status }) => <Status of={lookOfAnswer(status)} label={String(status)} />,
  },
  {
    name: 'Refusal',
    width: '1.2fr',
    narrow: 'second',
    cell: ({ errorName }) => <span className="muted">{errorName}</span>,
  },
  { name: 'By', width: '72px', isExtra: true, cell: ({ apiKeyId }) => (apiKeyId ? 'API key' : 'Person') },
  { name: 'Address', width: '120px', isExtra: true, cell: ({ address }) => <span className="mono">{address}</span> },
  { name: 'Took', width: '72px', isExtra: true, isNumber: true, cell: ({ durationMs }) => `${number(durationMs)} ms` },
  { name: 'Time', width: '128px', narrow: 'second-end', cell: ({ at }) => <Time at={at} /> },
]

function filtersOf({ status, path, apiKeyId, from, until }: Address) {
  return { status: readStatus(status).status, path, apiKeyId, from: startOfDay(from), until: startOfDay(until, 1) }
}

export const prefetch: Prefetch = (client, { search }) => prefetchList(client, '/v1/requests', filtersOf(search))

export default function RequestLog() {
  const mayRead = useMay('GET /v1/requests')
  return (
    <Page title="Request log" above={<Go to="/settings">Settings</Go>}>
      {mayRead ? <Requests /> : <p className="muted">{whoReads}</p>}
    </Page>
  )
}

function Requests() {
  const [address] = useAddress()
  const filters = filtersOf(address)
  const list = useList('/v1/requests', filters)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <>
      <p className="muted">
        Requests of the last {requestsKeptDays} days, without their bodies. One appears after a second or two.
      </p>
      <ListTools>
        <ListExact name="Path" parameter="path" example="/v1/emails" />
        <MoreFilters parameters={['status', 'apiKeyId', 'from', 'until']}>
          <ListExact name="Status" parameter="status" example="422" fault={readStatus(address.status).fault} />
          <ListFilter name="API key" parameter="apiKeyId" all="Any API key" options={useOptions('/v1/api-keys')} />
          <ListDay name="From" parameter="from" />
          <ListDay name="Until" parameter="until" />
        </MoreFilters>
      </ListTools>
      <Table
        name="Requests"
        list={list}
        columns={columns}
        to={({ requestId }) => `/settings/requests/${requestId}`}
        empty={
          <Empty title={isFiltered ? 'No request matches' : 'No requests yet'}>
            <p>Requests of your API keys and members are listed here, with how they were answered.</p>
          </Empty>
        }
      />
    </>
  )
}
