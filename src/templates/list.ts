import type { App } from '../context.ts'
import { modeColumn } from '../platform/mode/mode.ts'
import { withTestMark } from '../platform/mode/other-mode.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { templatesReadBy } from './queries.ts'

const listColumns = ['id', 'name', 'status', modeColumn, 'created_at as createdAt', 'updated_at as updatedAt'] as const

/** Returns a page of the templates that the caller reads, newest first, without the bodies. */
export async function listTemplates(app: App, teamId: string, query: PageQuery) {
  const rows = templatesReadBy(app.db, teamId).select(listColumns)
  const page = await readPage(app, { list: 'templates', teamId }, query, rows)
  return { ...page, data: page.data.map(withTestMark) }
}
