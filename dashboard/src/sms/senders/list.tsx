import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { AddSender } from './add.tsx'
import { type Sender, typeOf } from './sender.ts'

const columns: Column<Sender>[] = [
  { name: 'Name', width: '2fr', narrow: 'first', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    name: 'Sender ID',
    width: '144px',
    narrow: 'second',
    cell: ({ senderId }) => <span className="mono">{senderId}</span>,
  },
  { name: 'Status', width: '112px', narrow: 'first-end', cell: ({ status }) => <Status of={status} /> },
  { name: 'Type', width: '128px', isExtra: true, cell: typeOf },
  { name: 'Country', width: '64px', isExtra: true, cell: ({ country }) => country },
  { name: 'Messages', width: '112px', isExtra: true, cell: (row) => sentence(row.defaultMessageType) },
  { name: 'Added', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/sms/senders')

export default function SmsSenders() {
  const list = useList('/v1/sms/senders')
  const mayChange = useMay('POST /v1/sms/senders')
  return (
    <ListPage
      title="SMS senders"
      actions={mayChange && <AddSender />}
      notice={!mayChange && `${whoMay('POST /v1/sms/senders')} add and verify senders.`}
      list={list}
      columns={columns}
      to={({ id }) => `/sms/senders/${id}`}
      none="No SMS senders yet"
    >
      <p>A sender is the name or number that text messages come from. It is verified once, then it can send.</p>
    </ListPage>
  )
}
