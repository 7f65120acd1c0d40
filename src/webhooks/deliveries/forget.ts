import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { forgetDeliveriesJob } from '../jobs.ts'

/** Deliveries that one statement deletes, in a fraction of a second. */
const pageSize = 5000

/** Deletes the deliveries of a deleted webhook, one page in each commit. The job's key is the webhook's id. */
export const forgetDeliveries = defineJob(forgetDeliveriesJob, {
  concurrency: 1,
  retryDelaysMs: [60_000],
  async run(app: App, job) {
    const count = await app.transaction((tx) => deletePage(tx, job.payload.teamId, job.key))
    return count === pageSize ? { runAt: app.clock.now() } : undefined
  },
})

async function deletePage(tx: Tx, teamId: string, webhookId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where team_id = ${teamId} and webhook_id = ${webhookId} and id = any(array(
      select id from webhook_deliveries where team_id = ${teamId} and webhook_id = ${webhookId} limit ${pageSize}
    ))
  `.execute(tx.db)
  return Number(numAffectedRows)
}
