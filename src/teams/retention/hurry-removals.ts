import type { Tx } from '../../context.ts'
import { enqueueOrHurryJobs } from '../../platform/jobs/enqueue.ts'
import { removeInTeamJob } from './jobs.ts'

/** Begins to remove the data that these teams keep too long, or have too much of. */
export async function hurryRemovals(tx: Tx, teamIds: string[]): Promise<void> {
  const jobs = teamIds.map((teamId) => ({ teamId, key: teamId }))
  if (jobs.length > 0) await enqueueOrHurryJobs(tx, removeInTeamJob, jobs)
}
