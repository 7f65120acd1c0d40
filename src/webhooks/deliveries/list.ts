import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { type Position, pageOf, readCursor } from '../../platform/pagination.ts'
import { getWebhook } from '../get.ts'
import type { DeliveryQuery } from '../schema.ts'
import { deliveryColumns } from './queries.ts'

/** A page, newest first. */
export async function listDeliveries(app: App, teamId: string, webhookId: string, query: DeliveryQuery) {
  const { limit = 20, cursor, status, eventType } = query
  const key = { list: 'webhook deliveries', teamId, filters: { webhookId, status, eventType } }
  const position = readCursor(app.keyring, key, cursor)
  await getWebhook(app, teamId, webhookId)
  const rows = await findPage(app.db, teamId, webhookId, query, position, limit + 1)
  return pageOf(app.keyring, key, rows, limit)
}

function findPage(
  db: Db,
  teamId: string,
  webhookId: string,
  { status, eventType }: DeliveryQuery,
  after: Position | null,
  count: number,
) {
  return (
    db
      .selectFrom('webhook_deliveries')
      .select(deliveryColumns)
      .where('team_id', '=', teamId)
      .where('webhook_id', '=', webhookId)
      .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
      .$if(eventType !== undefined, (rows) => rows.where('event_type', '=', eventType!))
      // Written out, so that the partial indexes are found whatever the plan.
      .$if(status === 'pending', (rows) => rows.where('due_at', 'is not', null))
      .$if(status === 'failed', (rows) => rows.where('status', '=', sql.lit<'failed'>('failed')))
      .$if(status === 'delivered', (rows) => rows.where('status', '=', 'delivered'))
      .orderBy('id', 'desc')
      .limit(count)
      .execute()
  )
}
