import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import { noteMessages } from '../conversations/note-messages.ts'
import { type ConversationRef, openConversations, pairKey } from '../conversations/open.ts'
import { deleteConversations } from '../conversations/take-back.ts'
import { normalizeNumber } from '../phone-number.ts'
import { lockReceivingSenders, lockTestReceivers, type ReceivingSender } from '../senders/queries.ts'
import type { MessageEvent, Outcome } from './event.ts'

/** Meta's customer service window: 24 hours from the customer's last message. */
const windowMs = 24 * 3_600_000

type Received = {
  event: MessageEvent
  id: string
  sender: ReceivingSender
  phoneNumber: string
  conversationId: string
}

/** Messages with their conversations, which are locked, and those of them that were begun. */
type Opened = { messages: Received[]; begun: ConversationRef[] }

/** Locks the conversations of customers' messages, and begins those that do not exist yet. */
export async function findReceived(tx: Tx, events: MessageEvent[]): Promise<Opened> {
  if (events.length === 0) return { messages: [], begun: [] }
  return findConversations(tx, await findReceivers(tx, events))
}

/** Inserts customers' messages, each once, and opens or extends the windows of their conversations. */
export async function recordMessages(tx: Tx, events: MessageEvent[], received: Opened): Promise<Outcome[]> {
  if (events.length === 0) return []
  const fresh = await insertReceived(tx, firstOfEach(received.messages))
  const written = received.messages.filter(({ id }) => fresh.has(id))
  const noted = written.map((message) => notedOf(message, tx.now))
  tx.withCommit(noteMessages(tx, noted))
  await publish(
    tx,
    written.map(({ event, sender, phoneNumber }) => ({
      type: 'whatsapp.received' as const,
      teamId: sender.teamId,
      data: { from: phoneNumber, to: sender.phoneNumber, body: event.text },
    })),
  )
  const used = new Set(written.map(({ conversationId }) => conversationId))
  const unused = received.begun.filter(({ id }) => !used.has(id))
  tx.withCommit(deleteConversations(tx, unused))
  const byEvent = new Map(received.messages.map((message) => [message.event, message]))
  return events.map((event) => {
    const message = byEvent.get(event)
    if (!message) return 'ignored'
    return fresh.has(message.id) ? 'processed' : 'duplicate'
  })
}

type Receiver = Omit<Received, 'conversationId'>

async function findReceivers(tx: Tx, events: MessageEvent[]): Promise<Receiver[]> {
  const live = events.filter(({ ofTeam }) => !ofTeam || !isTestTeam(ofTeam))
  const found = await lockReceivingSenders(tx, [...new Set(live.map(({ phoneNumberId }) => phoneNumberId))])
  const inTest = events.flatMap(({ ofTeam, phoneNumberId }) =>
    ofTeam && isTestTeam(ofTeam) ? [{ teamId: ofTeam, phoneNumberId }] : [],
  )
  const tested = await lockTestReceivers(tx, inTest)
  const senders = new Map(found.map((sender) => [sender.phoneNumberId, sender]))
  const testSenders = new Map(tested.map((sender) => [`${sender.teamId} ${sender.phoneNumberId}`, sender]))
  return events.flatMap((event) => {
    const { ofTeam, phoneNumberId } = event
    const sender = testSenders.get(`${ofTeam} ${phoneNumberId}`) ?? senders.get(phoneNumberId)
    const phoneNumber = normalizeNumber(event.from)
    const isMeant = !ofTeam || sender?.teamId === ofTeam
    return sender && isMeant && phoneNumber ? [{ event, id: tx.newId(), sender, phoneNumber }] : []
  })
}

async function findConversations(tx: Tx, receivers: Receiver[]): Promise<Opened> {
  const { begun, conversations } = await openConversations(tx, receivers.map(pairOf))
  const messages = receivers.map((receiver) => {
    return { ...receiver, conversationId: conversations.get(pairKey(pairOf(receiver)))!.id }
  })
  return { messages, begun }
}

function pairOf({ sender, phoneNumber }: Receiver) {
  return { teamId: sender.teamId, senderId: sender.id, phoneNumber }
}

/** Returns each message once, in a fixed order, so that two calls with the same messages cannot deadlock. */
function firstOfEach(messages: Received[]): Received[] {
  const unique = new Map(messages.toReversed().map((message) => [identityOf(message), message]))
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, message]) => message)
}

function identityOf({ sender, event }: Received): string {
  return `${sender.teamId} ${sender.id} ${event.providerMessageId}`
}

/** Inserts messages. Returns the ids of the new ones. */
async function insertReceived(tx: Tx, messages: Received[]): Promise<Set<string>> {
  if (messages.length === 0) return new Set()
  const rows = messages.map(({ id, event, sender, phoneNumber, conversationId }) => ({
    team_id: sender.teamId,
    id,
    conversation_id: conversationId,
    sender_id: sender.id,
    from_number: phoneNumber,
    to_number: sender.phoneNumber,
    body: event.text,
    provider_message_id: event.providerMessageId,
  }))
  const inserted = await tx.send(sql<{ id: string }>`
    insert into whatsapp_messages
      (team_id, id, conversation_id, sender_id, direction, from_number, to_number, body, status, provider_message_id, created_at)
    select team_id, id, conversation_id, sender_id, 'inbound', from_number, to_number, body, 'received',
      provider_message_id, ${tx.now}
    from json_populate_recordset(null::whatsapp_messages, ${JSON.stringify(rows)}::json)
    on conflict (team_id, sender_id, provider_message_id) where direction = 'inbound' do nothing
    returning id
  `)
  return new Set(inserted.map(({ id }) => id))
}

/** A late message opens its window from the time it was written. A time in the future counts as now. */
function notedOf({ event, sender, conversationId }: Received, now: Date) {
  const at = event.at && event.at < now ? event.at : now
  return {
    teamId: sender.teamId,
    conversationId,
    body: event.text,
    at,
    windowExpiresAt: new Date(at.getTime() + windowMs),
    contactName: event.contactName ?? null,
  }
}
