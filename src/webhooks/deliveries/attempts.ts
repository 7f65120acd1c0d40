import type { App } from '../../context.ts'
import { type PageQuery, pageOfFixed } from '../../platform/pagination.ts'
import { notOwnWebhook } from '../queries.ts'
import type { DeliveryAttempt } from '../table.ts'

/**
 * Lists the attempts of a delivery, newest first. Deliveries from before they were kept have none. Throws `notFound`.
 */
export async function listAttempts(app: App, teamId: string, webhookId: string, id: string, query: PageQuery) {
  const delivery = await app.db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', (join) =>
      join.onRef('webhooks.team_id', '=', 'webhook_deliveries.team_id').onRef('webhooks.id', '=', 'webhook_id'),
    )
    .select('attempt_log')
    .where('webhook_deliveries.team_id', '=', teamId)
    .where('webhook_id', '=', webhookId)
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst()
  if (!delivery) throw await notOwnWebhook(app.db, teamId, webhookId, 'delivery')
  const numbered = (delivery.attempt_log ?? []).map((attempt, index) => ({
    number: index + 1,
    attempt: shown(attempt),
  }))
  const key = { list: 'delivery attempts', teamId, filters: { webhookId, id } }
  const page = pageOfFixed(app.keyring, key, query, numbered.toReversed(), ({ number }) => String(number))
  return { ...page, data: page.data.map(({ attempt }) => attempt) }
}

function shown({ at, ...attempt }: DeliveryAttempt) {
  return { at: new Date(at), ...attempt }
}
