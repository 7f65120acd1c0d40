import type { App, Tx } from '../../context.ts'
import { cancelBroadcastEmails, cancelDeliveries } from '../../emails/of-broadcasts/cancel.ts'
import { takeOverJob } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import { dispatchBroadcastJob, stopBroadcastJob } from '../jobs.ts'
import { lockBroadcastRow } from '../queries.ts'
import { finishBroadcast } from './finish.ts'
import { findEmailsUnderWay, recordSkipped } from './recipients.ts'

type StopJob = NonNullable<typeof stopBroadcastJob.job>

/**
 * Stops a broadcast and cancels its emails that are not being handed over yet. Those being handed over are still sent.
 * Returns the job by which `cancelWaiting` goes on. The caller holds the lock of the broadcast's row.
 */
export async function beginStopping(tx: Tx, teamId: string, id: string): Promise<StopJob> {
  const emailIds = await findEmailsUnderWay(tx.db, teamId, id)
  await recordCancelled(tx, teamId, await cancelBroadcastEmails(tx, teamId, emailIds))
  await deleteJob(tx, dispatchBroadcastJob, id)
  return takeOverJob(tx, stopBroadcastJob, { teamId, key: id })
}

/** Ends a cancellation whose process died, or whose request failed. The last delay repeats. */
export const stopBroadcast = defineJob(stopBroadcastJob, {
  concurrency: 1,
  retryDelaysMs: [1000, 10_000, 60_000, 10 * 60_000, 60 * 60_000],
  // Without the job the broadcast would stay `sending`.
  attemptsMax: Number.POSITIVE_INFINITY,
  async run(app, job) {
    await cancelWaiting(app, job)
    return undefined
  },
})

/**
 * Cancels the emails of a stopped broadcast that wait for a host, and ends it. There may be as many as recipients,
 * and each page locks the usage of the team, for which other mail waits. So each page is a commit. Two may do this at
 * once.
 */
export async function cancelWaiting(app: App, job: StopJob): Promise<void> {
  const release = app.jobs.hold(job)
  try {
    for (let after: string | null = ''; after !== null; ) {
      const from: string = after
      after = await app.transaction((tx) => cancelPage(tx, job, from))
    }
  } finally {
    release()
  }
}

/** Returns where the next page begins. Null after the last one, with which the broadcast has ended. */
async function cancelPage(tx: Tx, { teamId, key }: StopJob, after: string): Promise<string | null> {
  const broadcast = await lockBroadcastRow(tx, teamId, key)
  if (broadcast?.status !== 'sending') return null
  const { ids, next } = await cancelDeliveries(tx, teamId, key, after)
  await recordCancelled(tx, teamId, ids)
  if (next !== null) return next
  await finishBroadcast(tx, teamId, key, 'cancelled')
  await deleteJob(tx, stopBroadcastJob, key)
  return null
}

async function recordCancelled(tx: Tx, teamId: string, emailIds: string[]): Promise<void> {
  const emails = emailIds.map((emailId) => ({ teamId, emailId }))
  await recordSkipped(tx, emails, 'cancelled')
}
