import type { ReactNode } from 'react'
import type { List } from '../api/list.ts'
import { Status } from '../status/status.tsx'
import type { Column } from '../ui/table/columns.ts'
import { Table } from '../ui/table/table.tsx'
import { Time } from '../ui/text/time.tsx'
import { type Contact, fullName } from './contact.ts'

const columns: Column<Contact>[] = [
  { name: 'Email', width: '4fr', narrow: 'first', cell: ({ email }) => <span className="mono">{email}</span> },
  { name: 'Name', width: '2fr', narrow: 'second', cell: fullName },
  {
    name: 'Status',
    width: '116px',
    narrow: 'first-end',
    cell: ({ unsubscribed }) => <Status of={unsubscribed ? 'unsubscribed' : 'subscribed'} />,
  },
  { name: 'Added', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

type Props = {
  list: List<Contact>
  empty: ReactNode
  /** The action for a contact. It takes the place of *Added*. */
  action?: (contact: Contact) => ReactNode
}

/** The table *Contacts*: of all contacts, of a segment or of a topic. */
export function ContactsTable({ list, empty, action }: Props) {
  const all: Column<Contact>[] = action ? withAction(action) : columns
  return <Table name="Contacts" list={list} columns={all} to={({ id }) => `/contacts/${id}`} empty={empty} />
}

function withAction(action: (contact: Contact) => ReactNode): Column<Contact>[] {
  const last: Column<Contact> = {
    name: 'Remove',
    width: '44px',
    narrow: 'second-end',
    isHeadUnseen: true,
    cell: action,
  }
  return [...columns.slice(0, -1), last]
}
