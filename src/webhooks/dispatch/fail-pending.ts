import { sql } from 'kysely'
import type { App } from '../../context.ts'
import type { TeamJob } from '../../platform/jobs/job.ts'

const pageSize = 5000

/**
 * Fails a page of the pending deliveries of an inactive endpoint, so that it does not get old events once it is active
 * again.
 */
export async function failPending(app: App, { teamId, key }: TeamJob): Promise<void> {
  await app.transaction((tx) =>
    sql`
      update webhook_deliveries set status = 'failed', due_at = null, counted_at = ${tx.now}
      where team_id = ${teamId} and webhook_id = ${key} and id = any(array(
        select id from webhook_deliveries where team_id = ${teamId} and webhook_id = ${key} and due_at is not null
        limit ${pageSize}
      )) and exists (select from webhooks where team_id = ${teamId} and id = ${key} and status = 'inactive')
    `.execute(tx.db),
  )
}
