import Type from 'typebox'
import { type Route, routesOf } from '../../platform/http/route.ts'
import { ListQueryOf, Page, Resource, Strict, TextEnum, Timestamp, Uuid } from '../../platform/http/schema/schema.ts'
import { listThread, listThreads } from './list.ts'

const Channel = TextEnum('sms', 'whatsapp')
const Query = ListQueryOf({})
const ThreadsQuery = ListQueryOf({
  channel: Type.Optional({ ...Channel, description: 'Only conversations of this channel.' }),
})
const number = { examples: ['+61491570156'] }

const Threads = Page(
  Resource('InboxThread', {
    channel: Channel,
    phoneNumber: Type.String(number),
    lastMessageAt: Timestamp,
    preview: Type.String({ description: 'The beginning of the newest message.' }),
  }),
)

const Thread = Page(
  Resource('InboxThreadMessage', {
    id: Uuid,
    direction: TextEnum('outbound', 'inbound'),
    from: Type.String(),
    to: Type.String(),
    body: Type.String(),
    createdAt: Timestamp,
  }),
)

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Inbox', command: null })

export const inboxThreadRoutes: Route[] = [
  route('GET /v1/inbox/threads', 'listInboxThreads', {
    sdk: 'inbox.threads',
    summary: 'List conversations in the inbox',
    description:
      'One for each phone number that captured SMS or WhatsApp messages went to, or that wrote to one of yours.',
    query: ThreadsQuery,
    response: Threads,
    handle: ({ app, caller, query }) => listThreads(app, caller.teamId, query),
  }),
  route('GET /v1/inbox/threads/:channel/:phoneNumber', 'getInboxThread', {
    sdk: 'inbox.thread',
    summary: 'List the messages of a conversation in the inbox',
    description:
      'Newest first, both sides. Write as this phone with `POST /providers/capture/sms` or `POST /providers/capture/whatsapp`.',
    params: Strict({
      channel: { ...Channel, description: 'The channel of the conversation.' },
      phoneNumber: Type.String({ maxLength: 100, description: 'The phone of the other side.', ...number }),
    }),
    query: Query,
    response: Thread,
    handle: ({ app, caller, params, query }) =>
      listThread(app, caller.teamId, params.channel, params.phoneNumber, query),
  }),
]
