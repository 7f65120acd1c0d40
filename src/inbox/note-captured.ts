import type { Tx } from '../context.ts'
import { enqueueOrHurryJobs } from '../platform/jobs/enqueue.ts'
import { perApp } from '../platform/per-app.ts'
import { removeInTeamJob } from '../teams/retention/jobs.ts'

/** A team's inbox is looked at after this many messages of one process. So it may hold a little more than it keeps. */
const lookEvery = 500
/** Teams that are counted at a time; beyond them all begin anew. */
const teamsMax = 10_000

const countsOf = perApp<Map<string, number>, Tx['jobs']>(() => new Map())

/** Counts captured messages, and has the oldest removed from time to time. */
export async function noteCaptured(tx: Tx, teamIds: string[]): Promise<void> {
  const counts = countsOf(tx.jobs)
  if (counts.size >= teamsMax) counts.clear()
  const due = new Set<string>()
  for (const teamId of teamIds) {
    const count = (counts.get(teamId) ?? 0) + 1
    counts.set(teamId, count % lookEvery)
    if (count === lookEvery) due.add(teamId)
  }
  if (due.size > 0)
    await enqueueOrHurryJobs(
      tx,
      removeInTeamJob,
      [...due].sort().map((teamId) => ({ teamId, key: teamId })),
    )
}
