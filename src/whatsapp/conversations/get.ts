import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { listThread } from '../messages/queries.ts'
import { isWindowOpen } from './open.ts'
import { findConversation, listConversationsOfTeam } from './queries.ts'

export async function getConversation(app: App, teamId: string, id: string) {
  const found = await findConversation(app.db, teamId, id)
  if (!found) throw notFound('WhatsApp conversation')
  return { ...withWindow(app, found), messages: await listThread(app.db, teamId, id) }
}

export async function listConversations(app: App, teamId: string, query: PageQuery) {
  const { data, ...page } = await listConversationsOfTeam(app, teamId, query)
  return { data: data.map((row) => withWindow(app, row)), ...page }
}

function withWindow<Row extends { windowExpiresAt: Date | null }>(app: App, row: Row) {
  return { ...row, windowOpen: isWindowOpen(row.windowExpiresAt, app.clock.now()) }
}
