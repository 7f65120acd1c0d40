import { type Route, routesOf } from '../../platform/http/route.ts'
import { IdParams } from '../../platform/http/schema/schema.ts'
import { developers } from '../../teams/roles/roles.ts'
import { getMessage } from './get.ts'
import { listMessagesOfTeam } from './queries.ts'
import { Message, MessageList, MessageListQuery, MessageWithEvents, SendMessageBody } from './schema.ts'
import { sendMessage } from './send.ts'

const route = routesOf({ access: 'send', closedToDomainKeys: true, inTest: 'apart', tag: 'WhatsApp messages' })

export const messageRoutes: Route[] = [
  route('POST /v1/whatsapp/messages', 'sendWhatsappMessage', {
    roles: developers,
    changes: 'whatsapp/messages',
    summary: 'Send a WhatsApp message',
    description:
      "An approved template with its `variables`, or a `body` within 24 hours of the customer's last message; never both. What the provider refuses is stored as `failed`.",
    body: SendMessageBody,
    response: Message,
    idempotent: true,
    refusals: ['conflict', 'providerFailed'],
    refusalNames: {
      invalid: ['sender_not_active'],
      unprocessable: ['no_open_conversation', 'recipient_erased', 'template_not_approved'],
    },
    handle: ({ app, caller, body, idempotencyKey }) => sendMessage(app, caller, body, idempotencyKey),
  }),
  route('GET /v1/whatsapp/messages', 'listWhatsappMessages', {
    summary: 'List WhatsApp messages',
    description: 'Inbound and outbound, newest first.',
    query: MessageListQuery,
    response: MessageList,
    handle: ({ app, caller, query }) => listMessagesOfTeam(app, caller.teamId, query),
  }),
  route('GET /v1/whatsapp/messages/:id', 'getWhatsappMessage', {
    summary: 'Get a WhatsApp message',
    description: 'With the timeline of its delivery.',
    params: IdParams,
    response: MessageWithEvents,
    handle: ({ app, caller, params }) => getMessage(app, caller, params.id),
  }),
]
