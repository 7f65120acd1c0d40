import type { App, Db } from '../context.ts'
import { isUuid } from '../platform/ids.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'

const listColumns = ['id', 'name', 'status', 'created_at as createdAt', 'updated_at as updatedAt'] as const

export const templateColumns = [
  'id',
  'name',
  'html',
  'text',
  'status',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** Undefined for what the team does not have, an `id` that is no UUID included: a send names templates by any text. */
export async function findTemplate(db: Db, teamId: string, id: string) {
  if (!isUuid(id)) return undefined
  return db
    .selectFrom('templates')
    .select(templateColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first, without the bodies. */
export function listTemplatesOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('templates').select(listColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'templates', teamId }, query, rows)
}
