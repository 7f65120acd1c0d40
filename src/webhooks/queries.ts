import type { Db, Tx } from '../context.ts'

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
export function listWebhooksOfTeam(db: Db, teamId: string) {
  return db.selectFrom('webhooks').select(webhookColumns).where('team_id', '=', teamId).orderBy('id', 'desc').execute()
}

/** Those that deliveries may be added to, locked against going idle or away until this unit of work ends. */
export function lockActiveWebhooks(tx: Tx, teamIds: string[]) {
  return tx.db
    .selectFrom('webhooks')
    .select(['team_id as teamId', 'id', 'events'])
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamIds)))
    .where('status', '=', 'active')
    .orderBy('id')
    .forKeyShare()
    .execute()
}
