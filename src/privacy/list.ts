import type { App } from '../context.ts'
import { bytesOf, type PageQuery, readPage } from '../platform/pagination.ts'
import { privacyRequestColumns } from './queries.ts'

/** Returns a page of the team's exports and erasures, newest first. */
export function listPrivacyRequests(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('privacy_requests').select(privacyRequestColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'privacy requests', teamId }, query, rows, {
    limitDefault: 20,
    bytes: bytesOf('counts'),
  })
}
