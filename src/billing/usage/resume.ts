import { defineSubscription } from '../../platform/events.ts'
import { hurryJobsByKey } from '../../platform/jobs/waiting-jobs.ts'
import { reportUsageJob } from '../jobs.ts'

/** Reports overage at once when the team becomes a customer of the payment provider. */
export const resumeUsageReports = defineSubscription({
  types: ['billing.customer_known'],
  async listen(tx, events) {
    const keys = events.map(({ teamId }) => teamId)
    await hurryJobsByKey(tx, reportUsageJob, keys)
  },
})
