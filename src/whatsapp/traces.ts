import type { Tx } from '../context.ts'
import { modeOf } from '../platform/mode/mode.ts'
import { maskedTraceOf, maskRows } from '../platform/privacy/masked-trace.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { anotherRecipient, withoutOthers } from '../platform/privacy/others.ts'
import type { Person } from '../platform/privacy/person.ts'
import { deleteRows, type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'
import { forgetMessage, lockConversation } from './conversations/take-back.ts'

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

/** True for a conversation with the person. Another one may name the person in its newest text. */
function isWithPerson({ row }: Found, person: Person): boolean {
  return [row.phone_number, row.known_as].some((number) => namesPerson(number, 'text', person))
}

/** Shows the conversations with the person alone. */
function showConversation({ person }: Showing, found: Found): object | null {
  if (!isWithPerson(found, person)) return null
  const { row } = found
  const { id, phone_number: phoneNumber, contact_name: contactName } = row
  return {
    ...{ id, phoneNumber, contactName, windowExpiresAt: row.window_expires_at, lastMessageAt: row.last_message_at },
    ...{ lastMessagePreview: row.last_message_preview, createdAt: row.created_at },
  }
}

const conversations = { name: 'whatsappConversations', table: 'whatsapp_conversations', key: ['id'] }

/**
 * Deletes the conversations with the person. Those with others stay with their messages, and show the newest message
 * that is left.
 */
async function eraseConversations(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  const own = found.filter((one) => isWithPerson(one, person))
  await deleteRows(tx, teamId, conversations, own)
  for (const one of found) {
    if (own.includes(one)) continue
    const conversation = { teamId, id: one.key[0]! }
    await lockConversation(tx, conversation)
    await forgetMessage(tx, conversation)
    await maskRows(tx, teamId, { ...conversations, searched: { contact_name: 'text' } }, [one], person)
  }
  return found.length
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
    ...conversations,
    searched: { phone_number: 'text', known_as: 'text', contact_name: 'text', last_message_preview: 'text' },
    erase: eraseConversations,
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
