import { Meter } from '../ui/frame/meter.tsx'
import { RouteLine, type Station } from '../ui/frame/route-line.tsx'
import { countOf } from '../ui/text/words.ts'
import type { Broadcast, BroadcastStats } from './broadcast.ts'

type Props = { broadcast: Broadcast; stats: BroadcastStats | undefined }

/** How far a broadcast has come. */
export function Way({ broadcast, stats }: Props) {
  return <RouteLine name="Timeline" stations={stationsOf(broadcast, stats)} />
}

function stationsOf({ status, createdAt, scheduledAt, sentAt }: Broadcast, stats: BroadcastStats | undefined) {
  const stations: Station[] = [{ id: 'created', name: 'Created', at: createdAt, state: 'passed' }]
  if (scheduledAt && status !== 'draft') {
    const state = status === 'scheduled' ? 'next' : 'passed'
    stations.push({ id: 'scheduled', name: 'Scheduled', at: scheduledAt, state })
  }
  if (status === 'queued' || status === 'sending') {
    stations.push({ id: 'sending', name: 'Sending', state: 'next', children: stats && <Progress stats={stats} /> })
  }
  const cancelled = stats?.skipped.cancelled ?? 0
  if (status === 'sent' && cancelled > 0) {
    const children = `${countOf(cancelled, 'recipient')} not reached`
    stations.push({ id: 'cancelled', name: 'Cancelled', at: sentAt, state: 'fault', children })
  } else {
    stations.push({
      id: 'sent',
      name: 'Sent',
      at: sentAt,
      state: status === 'sent' ? 'passed' : 'later',
      tone: 'green',
    })
  }
  return stations
}

function Progress({ stats }: { stats: BroadcastStats }) {
  if (stats.total === 0) return <p>Finding who gets it</p>
  return <Meter name="Progress" value={doneOf(stats)} max={stats.total} isGoal />
}

/** Recipients whose turn is over: their email was handed over, or they were left out. */
function doneOf({ sent, skipped }: BroadcastStats): number {
  return sent + Object.values(skipped).reduce((sum, count) => sum + count, 0)
}
