import { type Route, route } from '../../platform/http/route.ts'
import { InboxQuery } from '../schema.ts'
import { listInboxSms } from './list.ts'
import { InboxSmsPage } from './schema.ts'

export const inboxSmsRoutes: Route[] = [
  route('GET /v1/inbox/sms', 'listInboxSms', {
    sdk: 'inbox.sms',
    command: null,
    access: 'full',
    inTest: 'apart',
    tag: 'Inbox',
    summary: 'List captured SMS',
    description:
      'The messages that the `capture` provider kept, newest first. `search` looks in sender, number and body.',
    query: InboxQuery,
    response: InboxSmsPage,
    handle: ({ app, caller, query }) => listInboxSms(app, caller.teamId, query),
  }),
]
