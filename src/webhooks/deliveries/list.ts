import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { runHeavyRead } from '../../platform/http/overload/heavy-reads.ts'
import { readPage } from '../../platform/pagination.ts'
import { hasWebhook, notOwnWebhook } from '../queries.ts'
import type { DeliveryQuery } from '../schema.ts'
import { deliveryColumns } from './queries.ts'

/** Lists a page of deliveries, newest first. */
export async function listDeliveries(
  app: App,
  teamId: string,
  webhookId: string,
  { status, eventType, ...query }: DeliveryQuery,
) {
  if (!(await hasWebhook(app.db, teamId, webhookId))) throw await notOwnWebhook(app.db, teamId, webhookId)
  const rows = app.db
    .selectFrom('webhook_deliveries')
    .select(deliveryColumns)
    .where('team_id', '=', teamId)
    .where('webhook_id', '=', webhookId)
    .$if(eventType !== undefined, (rows) => rows.where('event_type', '=', eventType!))
    // Written as the conditions of the partial indexes, so that every plan can use them.
    .$if(status === 'pending', (rows) => rows.where('due_at', 'is not', null))
    .$if(status === 'failed', (rows) => rows.where('status', '=', sql.lit<'failed'>('failed')))
    .$if(status === 'delivered', (rows) => rows.where('status', '=', 'delivered'))
  const key = { list: 'webhook deliveries', teamId, filters: { webhookId, status, eventType } }
  const read = () => readPage(app, key, query, rows, { limitDefault: 20 })
  // No index has the delivered ones: where most have failed, all are read.
  return status === 'delivered' ? runHeavyRead(app, teamId, 'search', read) : read()
}
