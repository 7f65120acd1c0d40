import type { App } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { membersOf } from './queries.ts'

/** Returns a page, those who joined last first. */
export function listMembers(app: App, teamId: string, query: PageQuery) {
  const rows = membersOf(app.db, teamId).select('member.user_id as id')
  return readPage(app, { list: 'members', teamId }, query, rows, { newestBy: 'createdAt' })
}
