import { sql } from 'kysely'
import { type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'

const key = ['webhook_id', 'id']
const found = { table: 'webhook_deliveries', key, owners: 'webhooks' }

/** Shows that an event went to an endpoint of the team. The event itself is with its email. */
function showDelivery(_: Showing, { row }: Found): object {
  const { id, webhook_id: webhookId, event_type: eventType, status, attempts, created_at: createdAt } = row
  return { id, webhookId, eventType, status, attempts, createdAt }
}

/** Attempts come last: the deliveries that name the person in their payload are gone by then. */
export const webhookTraces: Trace[] = [
  traceOf({ name: 'webhookDeliveries', ...found, searched: { payload: 'json' }, show: showDelivery }),
  traceOf({
    name: 'webhookAttempts',
    ...found,
    searched: { attempt_log: 'json' },
    async erase(tx, teamId, rows) {
      const [webhookIds, ids] = [0, 1].map((index) => rows.map((row) => row.key[index]))
      await sql`
        update webhook_deliveries as delivery set attempt_log = (
          select jsonb_agg(entry || '{"body": null}' order by place)
          from jsonb_array_elements(delivery.attempt_log) with ordinality as log (entry, place)
        )
        from unnest(${webhookIds}::uuid[], ${ids}::uuid[]) as named (webhook_id, id)
        where delivery.team_id = ${teamId} and delivery.webhook_id = named.webhook_id and delivery.id = named.id
      `.execute(tx.db)
      return rows.length
    },
  }),
]
