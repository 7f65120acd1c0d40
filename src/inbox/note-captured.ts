import type { SentAtOnce, Tx } from '../context.ts'
import { perApp } from '../platform/per-app.ts'
import { hurryRemovals } from '../teams/retention/hurry-removals.ts'

/** A team's inbox is looked at after this many messages of one process. So it may hold a little more than it keeps. */
const lookEvery = 500
/** Teams that are counted at a time; beyond them all begin anew. */
const teamsMax = 10_000

const countsOf = perApp<Map<string, number>, Tx['jobs']>(() => new Map())

/** Counts captured messages, and has the oldest removed from time to time. */
export async function noteCaptured(tx: Tx, messages: { teamId: string }[]): SentAtOnce {
  const counts = countsOf(tx.jobs)
  if (counts.size >= teamsMax) counts.clear()
  const due = new Set<string>()
  for (const { teamId } of messages) {
    const count = (counts.get(teamId) ?? 0) + 1
    counts.set(teamId, count % lookEvery)
    if (count === lookEvery) due.add(teamId)
  }
  await hurryRemovals(tx, [...due].sort())
}
