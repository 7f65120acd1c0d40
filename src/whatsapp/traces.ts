import { modeOf } from '../platform/mode/mode.ts'
import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { anotherRecipient, withoutOthers } from '../platform/privacy/others.ts'
import { type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'

/** A message between others that names the person is shown without its text. */
function showMessage({ teamId, person }: Showing, { row }: Found): object {
  const customer = row.direction === 'inbound' ? row.from_number : row.to_number
  const own = namesPerson(customer, 'text', person)
  const shown = (number: unknown) => (own || number !== customer ? number : anotherRecipient)
  return {
    ...{ id: row.id, conversationId: row.conversation_id, direction: row.direction },
    ...{ to: shown(row.to_number), from: shown(row.from_number), templateName: row.template_name },
    ...{ variables: own ? row.variables : null, body: own ? row.body : null, status: row.status },
    ...{ mode: modeOf(teamId), createdAt: row.created_at, sentAt: row.sent_at },
  }
}

/** Shows the conversations with the person alone. */
function showConversation({ person }: Showing, { row }: Found): object | null {
  const { id, phone_number: phoneNumber, known_as: knownAs, contact_name: contactName } = row
  if (![phoneNumber, knownAs].some((number) => namesPerson(number, 'text', person))) return null
  return {
    ...{ id, phoneNumber, contactName, windowExpiresAt: row.window_expires_at, lastMessageAt: row.last_message_at },
    ...{ lastMessagePreview: row.last_message_preview, createdAt: row.created_at },
  }
}

function showEvent({ person }: Showing, { row }: Found): object {
  const { id, message_id: messageId, type, created_at: createdAt, data } = row
  return { id, messageId, type, createdAt, data: withoutOthers(data, person) }
}

/** Messages go before their conversations, so that deleting a conversation is a small statement. */
export const whatsappTraces: Trace[] = [
  traceOf({
    ...{ name: 'whatsappEvents', table: 'whatsapp_events', key: ['message_id', 'id'] },
    searched: { data: 'json' },
    show: showEvent,
  }),
  traceOf({
    ...{ name: 'whatsappMessages', table: 'whatsapp_messages', key: ['id'] },
    searched: { from_number: 'text', to_number: 'text', body: 'text', variables: 'json', error: 'text' },
    show: showMessage,
  }),
  traceOf({
    ...{ name: 'whatsappConversations', table: 'whatsapp_conversations', key: ['id'] },
    searched: { phone_number: 'text', known_as: 'text', contact_name: 'text', last_message_preview: 'text' },
    show: showConversation,
  }),
  maskedTraceOf({
    ...{ name: 'whatsappTemplates', table: 'whatsapp_templates', key: ['id'] },
    searched: { body: 'text', components: 'json', rejection_reason: 'text' },
  }),
  maskedTraceOf({
    ...{ name: 'whatsappSenders', table: 'whatsapp_senders', key: ['id'] },
    searched: { name: 'text', display_name: 'text', rejection_reason: 'text' },
  }),
]
