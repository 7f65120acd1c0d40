import { defineSubscription } from '../platform/events.ts'
import { enqueueJobs } from '../platform/jobs/enqueue.ts'
import { type Order, sendSystemMailJob } from './jobs.ts'

/** Orders the system mail that events call for, in their transactions. */
export const orderSystemMail = defineSubscription({
  types: ['account.verification_requested', 'account.reset_requested', 'account.signed_in_elsewhere'],
  isOn: ({ systemFrom }) => systemFrom !== null,
  async listen(tx, events) {
    const orders = events.map(({ type, data }): { key: string; payload: Order } => {
      const { userId } = data
      if (type === 'account.signed_in_elsewhere') {
        const payload: Order = { about: 'sign-in', ...data, at: tx.now.toISOString() }
        return { key: `sign-in ${userId} ${tx.newId()}`, payload }
      }
      const about = type === 'account.reset_requested' ? 'reset' : 'verification'
      return { key: `${about} ${userId}`, payload: { about, userId } }
    })
    await enqueueJobs(tx, sendSystemMailJob, orders)
  },
})
