import { type ListRow, useList } from '../../api/list.ts'
import { FigureList } from '../../ui/figure/figure-list.tsx'
import { Section } from '../../ui/frame/section.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { countOf, number, share } from '../../ui/text/words.ts'
import type { Broadcast, BroadcastStats } from '../broadcast.ts'
import { OverTime } from './over-time.tsx'
import { Recipients } from './recipients.tsx'

type Props = { broadcast: Broadcast; stats: BroadcastStats }

/** Shows the results of a broadcast: figures, events over time, links, recipients by outcome. */
export function Results({ broadcast, stats }: Props) {
  return (
    <section className="broadcast-results" aria-labelledby="results">
      <h2 id="results">Results</h2>
      <Figures stats={stats} />
      <OverTime broadcast={broadcast} />
      <Links id={broadcast.id} />
      <Recipients id={broadcast.id} />
    </section>
  )
}

function Figures({ stats }: { stats: BroadcastStats }) {
  const { total, sent, delivered, opened, clicked, bounced, complained, skipped } = stats
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0)
  return (
    <FigureList
      figures={[
        { name: 'Sent', value: sent, note: `of ${countOf(total, 'contact')}` },
        { name: 'Delivered', value: delivered, note: share(delivered, sent), tone: 'green' },
        { name: 'Opened', value: opened, note: share(opened, sent), tone: 'purple' },
        { name: 'Clicked', value: clicked, note: share(clicked, sent), tone: 'purple' },
        { name: 'Bounced', value: bounced, note: share(bounced, sent), tone: 'red' },
        { name: 'Complained', value: complained, note: share(complained, sent), tone: 'red' },
        { name: 'Left out', value: left, note: noteOf(skipped) },
      ]}
    />
  )
}

function noteOf({
  unsubscribed,
  suppressed,
  notOptedIn,
  cancelled = 0,
  failed = 0,
}: BroadcastStats['skipped']): string {
  const parts = [
    unsubscribed > 0 && `${number(unsubscribed)} unsubscribed`,
    suppressed > 0 && `${number(suppressed)} suppressed`,
    notOptedIn > 0 && `${number(notOptedIn)} not opted in`,
    cancelled > 0 && `${number(cancelled)} cancelled`,
    failed > 0 && `${number(failed)} failed`,
  ]
  return parts.filter(Boolean).join(', ')
}

const columns: Column<ListRow<'/v1/broadcasts/:id/links'>>[] = [
  { name: 'Address', width: '4fr', narrow: 'first', cell: ({ url }) => <span title={url}>{url}</span> },
  { name: 'Clicks', width: '88px', narrow: 'first-end', isNumber: true, cell: ({ clicks }) => number(clicks) },
  {
    ...{ name: 'Recipients', width: '128px', narrow: 'second' },
    cell: ({ recipients }) => countOf(recipients, 'recipient'),
  },
]

/** The links that people clicked, most clicks first. */
function Links({ id }: { id: string }) {
  const list = useList('/v1/broadcasts/:id/links', { id })
  return (
    <Section title="Links" level={3}>
      <Table name="Links" list={list} columns={columns} empty={<p className="muted">No link was clicked yet.</p>} />
    </Section>
  )
}
