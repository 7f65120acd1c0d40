import type { App, Caller } from '../../context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { findMessage, listMessageEvents, listMessagesOfTeam } from './queries.ts'
import type { MessageListQuery } from './schema.ts'

/** A sending key restricted to a domain has that domain's mail and no other channel. */
export function refuseDomainKey({ permission, domainId }: Caller): void {
  if (permission === 'sending_access' && domainId !== null)
    throw forbidden('This API key is restricted to the emails of one domain. Use one without a domain for WhatsApp.')
}

export async function getMessage(app: App, caller: Caller, id: string) {
  refuseDomainKey(caller)
  const message = await findMessage(app.db, caller.teamId, id)
  if (!message) throw notFound('WhatsApp message')
  return { ...message, events: await listMessageEvents(app.db, caller.teamId, message.id) }
}

export async function listMessages(app: App, caller: Caller, query: MessageListQuery) {
  refuseDomainKey(caller)
  return listMessagesOfTeam(app, caller.teamId, query)
}
