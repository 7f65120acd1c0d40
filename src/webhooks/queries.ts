import type { App, Db, Tx } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'

export const webhookColumns = [
  'id',
  'endpoint_url as endpointUrl',
  'events',
  'status',
  'created_at as createdAt',
] as const

export function findWebhook(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first. */
export function listWebhooksOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('webhooks').select(webhookColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'webhooks', teamId }, query, rows)
}

/**
 * Those that deliveries of these events may be added to, locked against being deleted or given up by whoever works them
 * off (`dispatch/release.ts`) until this unit of work ends. One may be switched off meanwhile, so that a send never waits
 * for that: what is added then fails with the rest that is pending.
 */
export function lockWebhooksWanting(tx: Tx, teamIds: string[], eventTypes: string[]) {
  return tx.db
    .selectFrom('webhooks')
    .select(['team_id as teamId', 'id', 'events'])
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamIds)))
    .where('status', '=', 'active')
    .where('events', '&&', (eb) => eb.val(eventTypes))
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** One whose status stays as it is until this unit of work ends; whoever is changing it now is waited for. */
export function lockWebhook(tx: Tx, teamId: string, id: string) {
  return tx.db
    .selectFrom('webhooks')
    .select('status')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
}
