import type { Subscription } from '../../platform/events.ts'
import { hurryJobsByKey } from '../../platform/jobs/waiting-jobs.ts'
import { reportKind } from './add.ts'

/** Overage that had nobody to be billed to is reported as soon as the team is a customer of the payment provider. */
export const resumeUsageReports: Subscription = {
  types: ['billing.customer_known'],
  async listen(tx, events) {
    const keys = events.map(({ teamId }) => teamId)
    await hurryJobsByKey(tx, reportKind, keys)
    tx.afterCommit(() => tx.jobs.wake())
  },
}
