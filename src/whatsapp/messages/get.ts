import type { App, Caller } from '../../context.ts'
import { orNotFound } from '../../platform/errors.ts'
import { findWhatsappMessage, listMessageEvents } from './queries.ts'

export async function getWhatsappMessage(app: App, caller: Caller, id: string) {
  const message = await orNotFound('WhatsApp message', findWhatsappMessage(app.db, caller.teamId, id))
  return { ...message, events: await listMessageEvents(app.db, caller.teamId, message.id) }
}
