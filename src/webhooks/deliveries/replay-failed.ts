import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { nilId } from '../../platform/ids.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { continueHeldJob, endHeldJob } from '../../platform/jobs/leases.ts'
import { wakeEndpoints } from '../dispatch/wake.ts'
import { replayFailedJob } from '../jobs.ts'
import { lockWebhook } from '../queries.ts'
import { type Failed, failedSince } from './failed-since.ts'

/** Deliveries of one commit, which takes a fraction of a second. */
const pageSize = 500

/**
 * Adds the deliveries of a replay, a page in each commit, which also records where the next page begins: a kill repeats
 * and skips none. Ends early if the webhook is switched off or deleted.
 */
export const replayFailedDeliveries = defineJob(replayFailedJob, {
  atRestore: 'discard',
  concurrency: 4,
  fair: true,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, job) {
    const { teamId, key: webhookId, payload } = job
    const { since, beforeId, left } = payload
    const failed = { teamId, webhookId, since: new Date(since), beforeId }
    return app.transaction(async (tx) => {
      if ((await lockWebhook(tx, teamId, webhookId))?.status !== 'active') return undefined
      const count = Math.min(left, pageSize)
      const ids = await replayPage(app, tx, failed, { after: payload.afterId ?? nilId, count })
      if (ids.length > 0) await wakeEndpoints(tx, [{ teamId, id: webhookId }])
      const rest = { ...payload, left: left - ids.length, afterId: ids.at(-1) ?? payload.afterId }
      if (ids.length < count || rest.left === 0) await endHeldJob(tx, job)
      else await continueHeldJob(tx, job, tx.now, { payload: rest, isFresh: true })
      return 'recorded'
    })
  },
})

type Place = { after: string; count: number }

/** Adds a new delivery for each failed one of a page. Returns the ids of the failed ones, in order. */
async function replayPage(app: App, tx: Tx, failed: Failed, { after, count }: Place): Promise<string[]> {
  const { teamId, webhookId } = failed
  const newIds = Array.from({ length: count }, () => tx.newId())
  const { rows } = await sql<{ id: string }>`
    with page as materialized (
      select id, event_type, payload, row_number() over (order by id) as place from (
        select id, event_type, payload from webhook_deliveries
        where ${failedSince(app, failed)} and id > ${after} order by id limit ${count}
      ) as failed
    ), added as (
      insert into webhook_deliveries (team_id, webhook_id, id, event_type, payload, due_at, created_at)
      select ${teamId}, ${webhookId}, new.id, page.event_type, page.payload, ${tx.now}, ${tx.now}
      from page join unnest(${newIds}::uuid[]) with ordinality as new (id, place) on new.place = page.place
    ), marked as (
      update webhook_deliveries as delivery set replayed_at = ${tx.now} from page
      where delivery.team_id = ${teamId} and delivery.webhook_id = ${webhookId} and delivery.id = page.id
    )
    select id from page order by id
  `.execute(tx.db)
  return rows.map(({ id }) => id)
}
