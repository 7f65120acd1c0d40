import type { App, Caller } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { sessionUses } from './note-use.ts'
import { loginsOfUser } from './queries.ts'

/** Lists a page of the caller's logins that have not ended, in all teams, newest first. */
export async function listSessions(app: App, { id: userId, teamId, sessionId }: Caller, query: PageQuery) {
  const rows = loginsOfUser(app.db, userId, app.clock.now())
  const { data, ...page } = await readPage(app, { list: 'sessions', teamId, filters: { userId } }, query, rows)
  return {
    data: data.map((row) => ({
      ...row,
      current: row.id === sessionId,
      lastSeenAt: sessionUses.find(app, row.id) ?? row.lastSeenAt,
    })),
    ...page,
  }
}
