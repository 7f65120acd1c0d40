import { defineSubscription, type Subscription } from '../events.ts'
import type { Job, JobKind } from './job.ts'
import { hurryLimitedJobs } from './waiting-jobs.ts'

/** Makes jobs that wait for the day's limit, marked `waitingForLimit`, run as soon as the team's limits change. */
export function resumesAtNewLimits<J extends Job & { payload: { waitingForLimit?: true } }>(
  kind: JobKind<J>,
): Subscription<'team.limits_changed'> {
  return defineSubscription({
    types: ['team.limits_changed'],
    async listen(tx, events) {
      for (const { teamId } of events) await hurryLimitedJobs(tx, kind, teamId)
    },
  })
}
