import { type ListRow, useList } from '../api/list.ts'
import { Status } from '../status/status.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Empty } from '../ui/frame/states.tsx'
import type { Column } from '../ui/table/columns.ts'
import { Table } from '../ui/table/table.tsx'
import { Time } from '../ui/text/time.tsx'
import { subjectOf } from '../ui/text/words.ts'

const columns: Column<ListRow<'/v1/emails'>>[] = [
  { name: 'Subject', width: '3fr', narrow: 'first', cell: subjectOf },
  { name: 'Status', width: '140px', narrow: 'second', cell: ({ status }) => <Status of={status} /> },
  { name: 'Time', width: '140px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export function EmailsTo({ address }: { address: string }) {
  const list = useList('/v1/emails', { recipient: address })
  return (
    <Section title="Emails">
      <Table
        name="Emails"
        list={list}
        columns={columns}
        to={({ id }) => `/emails/${id}`}
        empty={<Empty title="No emails to this contact yet" />}
      />
    </Section>
  )
}
