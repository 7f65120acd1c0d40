import type { App } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'

const listColumns = ['id', 'name', 'status', 'created_at as createdAt', 'updated_at as updatedAt'] as const

/** Returns a page, newest first, without the bodies. */
export function listTemplates(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('templates').select(listColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'templates', teamId }, query, rows)
}
