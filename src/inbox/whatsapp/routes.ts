import { type Route, route } from '../../platform/http/route.ts'
import { listInboxWhatsapp } from './list.ts'
import { InboxWhatsappPage, InboxWhatsappQuery } from './schema.ts'

export const inboxWhatsappRoutes: Route[] = [
  route('GET /v1/inbox/whatsapp', 'listInboxWhatsapp', {
    sdk: 'inbox.whatsapp',
    command: null,
    access: 'full',
    inTest: 'apart',
    tag: 'Inbox',
    summary: 'List captured WhatsApp messages',
    description:
      'The messages that the `capture` provider kept, newest first. `search` looks in body, from, to and template name.',
    query: InboxWhatsappQuery,
    response: InboxWhatsappPage,
    handle: ({ app, caller, query }) => listInboxWhatsapp(app, caller.teamId, query),
  }),
]
