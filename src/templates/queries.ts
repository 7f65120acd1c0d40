import type { Db, Tx } from '../context.ts'
import { isUuid } from '../platform/ids.ts'

export const templateColumns = [
  'id',
  'name',
  'html',
  'text',
  'status',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** Undefined if the team has no such template. `id` may be any text, because a request to send names a template by it. */
export async function findTemplate(db: Db, teamId: string, id: string) {
  if (!isUuid(id)) return undefined
  return db
    .selectFrom('templates')
    .select(templateColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds a template and locks it against other changes until the transaction ends. */
export function lockTemplate(tx: Tx, teamId: string, id: string) {
  return tx.db
    .selectFrom('templates')
    .select(templateColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
