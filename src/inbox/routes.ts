import { type Route, route } from '../platform/http/route.ts'
import { IdParams } from '../platform/http/schema.ts'
import { emptyInbox } from './empty.ts'
import { getInboxMessage } from './get.ts'
import { listInbox } from './list.ts'
import { findInboxBytes } from './queries.ts'
import { Emptied, InboxMessage, InboxPage, InboxQuery } from './schema.ts'

const tag = 'Inbox'

export const inboxRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/inbox',
    access: 'full',
    byMode: true,
    tag,
    summary: 'List captured emails',
    description: 'The messages that the `capture` provider kept, newest first. `search` looks in subject, from and to.',
    query: InboxQuery,
    response: InboxPage,
    handle: ({ app, caller, query }) => listInbox(app, caller, query),
  }),
  route({
    method: 'GET',
    path: '/v1/inbox/:id',
    access: 'full',
    byMode: true,
    tag,
    summary: 'Get a captured email',
    description: 'With `Accept: message/rfc822` the answer is the raw message, byte for byte as it was handed over.',
    params: IdParams,
    response: InboxMessage,
    alsoProduces: 'message/rfc822',
    answerBytes: (app, { teamId }, id) => findInboxBytes(app.db, teamId, id),
    handle: ({ app, caller, params, request, reply }) => getInboxMessage(app, caller, params.id, request, reply),
  }),
  route({
    method: 'DELETE',
    path: '/v1/inbox',
    access: 'full',
    byMode: true,
    tag,
    summary: 'Empty the inbox',
    description: 'Deletes all messages captured for the team, in every channel. This cannot be undone.',
    response: Emptied,
    handle: ({ app, caller }) => emptyInbox(app, caller),
  }),
]
