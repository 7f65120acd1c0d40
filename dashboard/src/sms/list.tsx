import { smsStatuses } from '../../../src/sms/messages/statuses.ts'
import { useOptions } from '../api/all.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { type Address, useAddress } from '../ui/go/address.ts'
import type { Column } from '../ui/table/columns.ts'
import { NoMatch } from '../ui/table/no-match.tsx'
import { StatusFilter } from '../ui/table/status-filter.tsx'
import { Table } from '../ui/table/table.tsx'
import { ListFilter, ListSearch, ListTools } from '../ui/table/tools.tsx'
import { Time } from '../ui/text/time.tsx'
import type { Sms } from './message.ts'
import { SendSms } from './send.tsx'

const columns: Column<Sms>[] = [
  { name: 'To', width: '144px', narrow: 'first', cell: ({ to }) => <span className="mono">{to}</span> },
  { name: 'Message', width: '3fr', narrow: 'second', cell: ({ body }) => <span title={body}>{body}</span> },
  { name: 'Status', width: '116px', narrow: 'second-end', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Sender',
    width: '1fr',
    isExtra: true,
    cell: ({ senderName }) => <span className="muted">{senderName}</span>,
  },
  { name: 'Segments', width: '84px', isExtra: true, isNumber: true, cell: ({ segments }) => segments },
  { name: 'Time', width: '128px', narrow: 'first-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The filters of the address, as the API takes them. */
function filtersOf({ search, status, senderId }: Address) {
  return { search, status, senderId }
}

export const prefetch: Prefetch = (client, { search }) => prefetchList(client, '/v1/sms', filtersOf(search))

export default function SmsList() {
  const [address] = useAddress()
  const filters = filtersOf(address)
  const list = useList('/v1/sms', filters)
  const maySend = useMay('POST /v1/sms')
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Page title="SMS" actions={maySend && <SendSms />}>
      <ListTools>
        <ListSearch name="Search SMS" />
        <StatusFilter statuses={smsStatuses} />
        <ListFilter name="Sender" parameter="senderId" all="Any sender" options={useOptions('/v1/sms/senders')} />
      </ListTools>
      <Table
        name="SMS"
        list={list}
        columns={columns}
        to={({ id }) => `/sms/${id}`}
        empty={isFiltered ? <NoMatch title="No SMS matches" /> : <Nothing />}
      />
    </Page>
  )
}

function Nothing() {
  return (
    <Empty title="No SMS yet">
      <p>Text messages that are sent by the API, a workflow or here are listed with what became of them.</p>
    </Empty>
  )
}
