import { sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import type { DomainError } from '../platform/errors.ts'
import { modeColumn, teamsReadBy } from '../platform/mode/mode.ts'
import { notOfMode, withTestMark } from '../platform/mode/other-mode.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { opaqueArray } from '../platform/sql/sql-rows.ts'

export const webhookColumns = [
  'id',
  'endpoint_url as endpointUrl',
  'events',
  'status',
  'include_test as includeTest',
  'signature_scheme as signatureScheme',
  modeColumn,
  'created_at as createdAt',
] as const

/** Finds a webhook that the caller reads: in test mode also a live one. */
export async function findWebhook(db: Db, teamId: string, id: string) {
  const webhook = await db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamsReadBy(teamId))))
    .where('id', '=', id)
    .executeTakeFirst()
  return webhook && withTestMark(webhook)
}

/** Tells whether the team has the webhook in its own mode. */
export async function hasWebhook(db: Db, teamId: string, id: string): Promise<boolean> {
  const query = db.selectFrom('webhooks').select('id').where('team_id', '=', teamId).where('id', '=', id)
  return (await query.executeTakeFirst()) !== undefined
}

/** Returns the refusal to change a webhook, or to read its deliveries, that the team does not have in this mode. */
export function notOwnWebhook(db: Db, teamId: string, id: string, missing = 'webhook'): Promise<DomainError> {
  return notOfMode(db, teamId, id, { table: 'webhooks', noun: 'webhook', may: 'read without its deliveries', missing })
}

/** Finds a webhook and locks it against other changes until the transaction ends. Deliveries can still be added. */
export function lockWebhookForChange(tx: Tx, teamId: string, id: string) {
  return tx.db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Lists a page of webhooks, newest first: in test mode those of both modes. */
export async function listWebhooksOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamsReadBy(teamId))))
  const page = await readPage(app, { list: 'webhooks', teamId }, query, rows)
  return { ...page, data: page.data.map(withTestMark) }
}

/**
 * Finds the active webhooks that subscribe to these events, and locks them until the transaction ends. The lock
 * prevents deleting them and releasing their jobs (`dispatch/release.ts`), but not switching them off, so that a send
 * does not wait for that. A delivery that is added to one switched off fails with its other pending ones.
 */
export function lockWebhooksWanting(tx: Tx, teamIds: string[], eventTypes: string[]) {
  const wanting = tx.db
    .selectFrom('webhooks')
    .select(['team_id as teamId', 'id', 'events', 'include_test as includeTest', 'payload_format as format'])
    .where('team_id', '=', sql<string>`any(${opaqueArray(teamIds, 'uuid')})`)
    .where('status', '=', 'active')
    .where('events', '&&', opaqueArray(eventTypes, 'text'))
    .orderBy('id')
    .forKeyShare()
  return tx.send(wanting)
}

/** Finds a webhook and locks its status until the transaction ends. Waits for a concurrent change. */
export function lockWebhook(tx: Tx, teamId: string, id: string) {
  return tx.db
    .selectFrom('webhooks')
    .select('status')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
}
