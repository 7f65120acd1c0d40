import { useList } from '../../api/list.ts'
import { Empty } from '../../ui/frame/states.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import type { ConversationItem } from '../message.ts'
import { WindowLeft } from './window.tsx'

const columns: Column<ConversationItem>[] = [
  {
    name: 'Number',
    width: '120px',
    narrow: 'first',
    cell: ({ phoneNumber }) => <span className="mono">{phoneNumber}</span>,
  },
  {
    name: 'Name',
    width: '1fr',
    isExtra: true,
    cell: ({ contactName }) => contactName ?? <span className="muted">Unknown</span>,
  },
  {
    name: 'Newest message',
    width: '3fr',
    narrow: 'second',
    cell: ({ lastMessagePreview }) => lastMessagePreview,
  },
  { name: 'Window', width: '120px', narrow: 'second-end', cell: (row) => <WindowLeft {...row} isShort /> },
  { name: 'Time', width: '128px', narrow: 'first-end', cell: ({ lastMessageAt }) => <Time at={lastMessageAt} /> },
]

export function Conversations() {
  const list = useList('/v1/whatsapp/conversations')
  return (
    <Table
      name="Conversations"
      list={list}
      columns={columns}
      to={({ id }) => `/whatsapp/conversations/${id}`}
      empty={
        <Empty title="No conversations yet">
          <p>
            A conversation begins with a template that you send, or when a customer writes. For 24 hours after each of
            their messages you can answer freely.
          </p>
        </Empty>
      }
    />
  )
}
