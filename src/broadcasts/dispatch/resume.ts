import { defineSubscription } from '../../platform/events.ts'
import { hurryJobs } from '../../platform/jobs/waiting-jobs.ts'
import { dispatchBroadcastJob } from '../jobs.ts'

/** Resumes broadcasts that wait for the day's limit as soon as the limit is raised. */
export const resumeBroadcasts = defineSubscription({
  types: ['team.limits_changed'],
  async listen(tx, events) {
    for (const { teamId } of events) await hurryJobs(tx, dispatchBroadcastJob, teamId, 'waitingForLimit')
  },
})
