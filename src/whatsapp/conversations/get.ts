import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { listThread } from '../messages/queries.ts'
import { isWindowOpen } from './open.ts'
import { findConversation, listConversationsOfTeam } from './queries.ts'

export async function getConversation(app: App, teamId: string, id: string) {
  const found = await findConversation(app.db, teamId, id)
  if (!found) throw notFound('WhatsApp conversation')
  return { ...withWindow(app, found), messages: await listThread(app.db, teamId, id) }
}

export async function listConversations(app: App, teamId: string) {
  const rows = await listConversationsOfTeam(app.db, teamId)
  return { data: rows.map((row) => withWindow(app, row)) }
}

function withWindow<Row extends { windowExpiresAt: Date | null }>(app: App, row: Row) {
  return { ...row, windowOpen: isWindowOpen(row.windowExpiresAt, app.clock.now()) }
}
