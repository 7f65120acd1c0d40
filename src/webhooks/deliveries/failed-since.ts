import { type RawBuilder, sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { findJobKeys } from '../../platform/jobs/waiting-jobs.ts'
import { replayFailedJob } from '../jobs.ts'
import { lockActiveWebhook } from './add.ts'

/** The most that one request queues: the oldest. A further request queues those after them. */
const queuedMax = 100_000
/** Beside its pauses, a delivery may wait for its endpoint's turn. */
const waitMs = 24 * 3_600_000

/** `since` and `beforeId` are the bounds of a replay: failed at this time or later, and older than the request. */
export type Failed = { teamId: string; webhookId: string; since: Date; beforeId: string }

/**
 * Begins to send again what failed for good since a time and was not replayed before. Returns how many deliveries the
 * job adds. Throws `conflict` if the webhook is inactive or a replay is under way.
 */
export function replayFailed(app: App, teamId: string, webhookId: string, since: Date): Promise<{ queued: number }> {
  return app.transaction(async (tx) => {
    await lockActiveWebhook(tx, teamId, webhookId)
    if ((await findJobKeys(tx.db, replayFailedJob, [webhookId])).size > 0) {
      throw conflict('A replay of this webhook is under way. Repeat this request once its deliveries are listed.')
    }
    const beforeId = tx.newId()
    const queued = await countFailed(tx, failedSince(app, { teamId, webhookId, since, beforeId }))
    const payload = { since: since.toISOString(), afterId: null, beforeId, left: queued }
    if (queued > 0) await enqueueJob(tx, replayFailedJob, { key: webhookId, teamId, payload })
    return { queued }
  })
}

/** Makes the condition on rows of `webhook_deliveries` that a replay takes. */
export function failedSince({ config }: App, { teamId, webhookId, since, beforeId }: Failed): RawBuilder<unknown> {
  // Ids are ordered by the time of the event, which is earlier than that of the failure by the pauses between attempts.
  const retriedMs = config.webhookRetryDelaysMs.reduce((sum, delayMs) => sum + delayMs, waitMs)
  const firstId = firstIdAt(new Date(since.getTime() - retriedMs))
  return sql`
    team_id = ${teamId} and webhook_id = ${webhookId} and status = 'failed' and replayed_at is null
      and id >= ${firstId} and id < ${beforeId} and coalesce(counted_at, last_attempt_at, created_at) >= ${since}
  `
}

async function countFailed(tx: Tx, isFailed: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from webhook_deliveries where ${isFailed} limit ${queuedMax}
    ) as failed
  `.execute(tx.db)
  return rows[0]!.count
}
