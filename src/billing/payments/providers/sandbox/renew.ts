import type { Schedule } from '../../../../platform/jobs/job.ts'
import { forEachDue } from '../../../for-each-due.ts'
import { turnPeriod } from './change.ts'
import { enqueueEvents } from './deliver.ts'
import { findDue, type SandboxSubscription } from './queries.ts'

const pageMax = 100

/** Begins the next month of the sandbox's subscriptions. Months that passed while nothing ran are skipped. */
export const renewSandbox: Schedule = {
  kind: 'billing.renew-sandbox',
  everyMs: 60_000,
  async run(app) {
    if (app.payments.name !== 'sandbox') return
    const now = app.clock.now()
    await forEachDue(
      app,
      (after: SandboxSubscription | null) => findDue(app.db, now, after, pageMax),
      (subscription) =>
        app.transaction(async (tx) => {
          const told = await turnPeriod(tx, subscription, subscription.anchorAt)
          if (told) await enqueueEvents(tx, told.teamId, told.events)
        }),
    )
  },
}
