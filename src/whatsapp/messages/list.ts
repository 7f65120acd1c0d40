import { refuseDomainKey } from '../../api-keys/refuse-domain-key.ts'
import type { App, Caller } from '../../context.ts'
import { listMessagesOfTeam } from './queries.ts'
import type { MessageListQuery } from './schema.ts'

/** Lists a page of messages, newest first. Throws `forbidden` for a key that is restricted to a domain. */
export async function listMessages(app: App, caller: Caller, query: MessageListQuery) {
  refuseDomainKey(caller)
  return listMessagesOfTeam(app, caller.teamId, query)
}
