import { sql } from 'kysely'
import type { Db } from '../../context.ts'

export const deliveryColumns = [
  'webhook_deliveries.id',
  'webhook_id as webhookId',
  'event_type as eventType',
  'webhook_deliveries.status',
  'attempts',
  'response_status_code as responseStatusCode',
  'last_attempt_at as lastAttemptAt',
  // The first attempt is not a retry.
  sql<Date | null>`case when attempts > 0 then due_at end`.as('nextRetryAt'),
  'webhook_deliveries.created_at as createdAt',
] as const

export function findDelivery(db: Db, teamId: string, webhookId: string, id: string) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', (join) =>
      join.onRef('webhooks.team_id', '=', 'webhook_deliveries.team_id').onRef('webhooks.id', '=', 'webhook_id'),
    )
    .select(deliveryColumns)
    .select(['payload', 'endpoint_url as endpointUrl', 'webhooks.status as webhookStatus'])
    .where('webhook_deliveries.team_id', '=', teamId)
    .where('webhook_id', '=', webhookId)
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst()
}
