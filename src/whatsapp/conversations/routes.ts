import { type Route, routesOf } from '../../platform/http/route.ts'
import { ListQuery } from '../../platform/http/schema/schema.ts'
import { developers } from '../../teams/roles/roles.ts'
import { WhatsappMessage } from '../messages/schema.ts'
import { getConversation } from './get.ts'
import { listConversations } from './queries.ts'
import { replyToConversation } from './reply.ts'
import { Conversation, ConversationList, ReplyBody } from './schema.ts'

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'WhatsApp conversations' })

export const conversationRoutes: Route[] = [
  route('GET /v1/whatsapp/conversations', 'listWhatsappConversations', {
    summary: 'List WhatsApp conversations',
    description: 'Most recently active first. There is one for each sender and phone number.',
    query: ListQuery,
    response: ConversationList,
    handle: ({ app, caller, query }) => listConversations(app, caller.teamId, query),
  }),
  route('GET /v1/whatsapp/conversations/:id', 'getWhatsappConversation', {
    summary: 'Get a WhatsApp conversation',
    description: 'With its newest messages, inbound and outbound: at most 1000 or 4 MiB.',
    response: Conversation,
    handle: ({ app, caller, params }) => getConversation(app, caller.teamId, params.id),
  }),
  route('POST /v1/whatsapp/conversations/:id/reply', 'replyToWhatsappConversation', {
    roles: developers,
    changes: 'whatsapp/conversations',
    summary: 'Reply in a WhatsApp conversation',
    description: "Only within 24 hours of the customer's last message; after that, send a template.",
    body: ReplyBody,
    response: WhatsappMessage,
    refusals: ['conflict', 'providerFailed'],
    refusalNames: { invalid: ['sender_not_active'], unprocessable: ['no_open_conversation', 'recipient_erased'] },
    handle: ({ app, caller, params, body }) => replyToConversation(app, caller, params.id, body),
  }),
]
