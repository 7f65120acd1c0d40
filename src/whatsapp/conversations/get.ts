import type { App } from '../../context.ts'
import { orNotFound } from '../../platform/errors.ts'
import { listThread } from '../messages/queries.ts'
import { findConversation, withWindow } from './queries.ts'

export async function getConversation(app: App, teamId: string, id: string) {
  const found = await orNotFound('WhatsApp conversation', findConversation(app.db, teamId, id))
  return { ...withWindow(app, found), messages: await listThread(app.db, teamId, id) }
}
