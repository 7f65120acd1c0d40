import { type Route, routesOf } from '../../platform/http/route.ts'
import { developers } from '../../teams/roles/roles.ts'
import { getWhatsappMessage } from './get.ts'
import { listWhatsappMessages } from './queries.ts'
import {
  SendWhatsappBody,
  WhatsappListQuery,
  WhatsappMessage,
  WhatsappMessageWithEvents,
  WhatsappPage,
} from './schema.ts'
import { sendWhatsappMessage } from './send.ts'

const route = routesOf({ access: 'send', closedToDomainKeys: true, inTest: 'apart', tag: 'WhatsApp messages' })

export const messageRoutes: Route[] = [
  route('POST /v1/whatsapp/messages', 'sendWhatsappMessage', {
    roles: developers,
    changes: 'whatsapp/messages',
    summary: 'Send a WhatsApp message',
    description:
      "An approved template with its `variables`, or a `body` within 24 hours of the customer's last message; never both. What the provider refuses is stored as `failed`.",
    body: SendWhatsappBody,
    response: WhatsappMessage,
    idempotent: true,
    refusals: ['conflict', 'providerFailed'],
    refusalNames: {
      invalid: ['sender_not_active'],
      unprocessable: ['no_open_conversation', 'recipient_erased', 'template_not_approved'],
    },
    handle: ({ app, caller, body, idempotencyKey }) => sendWhatsappMessage(app, caller, body, idempotencyKey),
  }),
  route('GET /v1/whatsapp/messages', 'listWhatsappMessages', {
    summary: 'List WhatsApp messages',
    description: 'Inbound and outbound, newest first.',
    query: WhatsappListQuery,
    response: WhatsappPage,
    handle: ({ app, caller, query }) => listWhatsappMessages(app, caller.teamId, query),
  }),
  route('GET /v1/whatsapp/messages/:id', 'getWhatsappMessage', {
    summary: 'Get a WhatsApp message',
    description: 'With the timeline of its delivery.',
    response: WhatsappMessageWithEvents,
    handle: ({ app, caller, params }) => getWhatsappMessage(app, caller, params.id),
  }),
]
