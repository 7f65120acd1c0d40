import { useList } from '../../api/list.ts'
import { Status } from '../../status/status.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import type { Message } from '../message.ts'

const columns: Column<Message>[] = [
  { name: 'Number', width: '120px', narrow: 'first', cell: (row) => <span className="mono">{customerOf(row)}</span> },
  {
    name: 'Direction',
    width: '72px',
    isExtra: true,
    cell: ({ direction }) => <span className="muted">{direction === 'inbound' ? 'In' : 'Out'}</span>,
  },
  { name: 'Message', width: '3fr', narrow: 'second', cell: ({ body }) => <span title={body}>{body}</span> },
  {
    name: 'Template',
    width: '1fr',
    isExtra: true,
    cell: ({ templateName }) => <span className="muted">{templateName}</span>,
  },
  { name: 'Status', width: '112px', narrow: 'second-end', cell: ({ status }) => <Status of={status} /> },
  { name: 'Time', width: '128px', narrow: 'first-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The number of the customer, whichever side wrote. */
export function customerOf({ direction, from, to }: Message): string {
  return direction === 'inbound' ? from : to
}

export function Messages() {
  const list = useList('/v1/whatsapp/messages')
  return (
    <Table
      name="Messages"
      list={list}
      columns={columns}
      to={({ id }) => `/whatsapp/messages/${id}`}
      empty={
        <Empty title="No messages yet">
          <p>Messages in both directions are listed here, with what became of those that you sent.</p>
        </Empty>
      }
    />
  )
}
