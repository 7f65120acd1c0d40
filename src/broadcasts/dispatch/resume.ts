import { waitingForLimit } from '../../emails/messages/dispatch/deliver-kind.ts'
import type { Subscription } from '../../platform/events.ts'
import { hurryJobs } from '../../platform/jobs/waiting-jobs.ts'
import { dispatchKind } from './dispatch-kind.ts'

/** A broadcast that waits for the day's limit goes on as soon as the limit is raised. */
export const resumeBroadcasts: Subscription = {
  types: ['team.limits_changed'],
  async listen(tx, events) {
    for (const { teamId } of events) await hurryJobs(tx, dispatchKind, teamId, waitingForLimit)
  },
}
