import { refuseDomainKey } from '../../api-keys/refuse-domain-key.ts'
import type { App, Caller } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { findMessage, listMessageEvents } from './queries.ts'

export async function getMessage(app: App, caller: Caller, id: string) {
  refuseDomainKey(caller)
  const message = await findMessage(app.db, caller.teamId, id)
  if (!message) throw notFound('WhatsApp message')
  return { ...message, events: await listMessageEvents(app.db, caller.teamId, message.id) }
}
