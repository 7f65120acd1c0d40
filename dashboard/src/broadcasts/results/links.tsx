import { useList } from '../../api/list.ts'
import { Section } from '../../ui/frame/section.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { countOf, number } from '../../ui/text/words.ts'

type Link = { id: string; url: string; clicks: number; recipients: number }

const columns: Column<Link>[] = [
  { name: 'Address', width: '4fr', narrow: 'first', cell: ({ url }) => <span title={url}>{url}</span> },
  { name: 'Clicks', width: '88px', narrow: 'first-end', isNumber: true, cell: ({ clicks }) => number(clicks) },
  {
    ...{ name: 'Recipients', width: '128px', narrow: 'second' },
    cell: ({ recipients }) => countOf(recipients, 'recipient'),
  },
]

/** The links that people clicked, most clicks first. */
export function Links({ id }: { id: string }) {
  const list = useList('/v1/broadcasts/:id/links', { id })
  return (
    <Section title="Links" level={3}>
      <Table name="Links" list={list} columns={columns} empty={<p className="muted">No link was clicked yet.</p>} />
    </Section>
  )
}
