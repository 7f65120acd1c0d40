import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { numberForms } from '../../platform/text/phone-number.ts'
import { allEnded } from '../../platform/waiting/all-ended.ts'

/** A conversation is between a sender and a customer, who may write from several forms of a number. */
export type Pair = { teamId: string; senderId: string; phoneNumber: string }

export type ConversationRef = { teamId: string; id: string }

export type OpenConversation = Pair & { id: string; windowExpiresAt: Date | null }

export function pairKey({ teamId, senderId, phoneNumber }: Pair): string {
  return `${teamId} ${senderId} ${phoneNumber}`
}

/** Sorts conversations. Every transaction locks them in this order, so that two transactions cannot deadlock. */
function sortPairs(pairs: Pair[]): Pair[] {
  const unique = new Map(pairs.map((pair) => [pairKey(pair), pair]))
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, pair]) => pair)
}

/** The conversations with the customer of `pair`, who may have several numbers. */
const ofCustomer = sql`conversation.team_id = pair.team_id and conversation.sender_id = pair.sender_id
  and (conversation.phone_number = pair.phone_number or conversation.phone_number = pair.other
    or conversation.known_as = pair.shortest)`

const pairColumns = { teamId: 'uuid', senderId: 'uuid', phoneNumber: 'text', shortest: 'text', other: 'text' } as const

function withForms(pair: Pair) {
  const [shortest, ...longer] = numberForms(pair.phoneNumber)
  const [other] = [shortest!, ...longer].filter((form) => form !== pair.phoneNumber)
  return { ...pair, shortest: shortest!, other: other ?? null }
}

/** More numbers than one customer's conversations have. A bound lets the database read them by the indexes. */
const numbersMax = 10

/**
 * Begins and returns the conversations that do not exist yet. Their first message is written in the same transaction.
 */
async function beginConversations(tx: Tx, pairs: Pair[]): Promise<ConversationRef[]> {
  const sorted = sortPairs(pairs)
  if (sorted.length === 0) return []
  const customers = new Map(
    sorted.map((pair) => withForms(pair)).map((pair) => [`${pair.teamId} ${pair.senderId} ${pair.shortest}`, pair]),
  )
  const begun = [...customers.values()].map((pair) => ({ ...pair, id: tx.newId() }))
  return tx.send(sql<ConversationRef>`
    insert into whatsapp_conversations
      (team_id, id, sender_id, phone_number, last_message_at, last_message_preview, created_at)
    select team_id, id, sender_id, phone_number, '-infinity', '', ${tx.now}
    from ${rowsOf(begun, { ...pairColumns, id: 'uuid' }).as('pair', 'position')}
    left join lateral (
      select id as known_id from whatsapp_conversations as conversation where ${ofCustomer} limit 1
    ) as known on true
    where known_id is null
    order by position
    on conflict (team_id, sender_id, phone_number) do nothing
    returning team_id as "teamId", id
  `)
}

/**
 * Locks the existing conversations until the transaction ends. Returns them by `pairKey`. If a customer has several,
 * because their numbers were not known to be one person's, the one in which the customer wrote last counts.
 */
async function lockConversations(tx: Tx, pairs: Pair[]): Promise<Map<string, OpenConversation>> {
  const sorted = sortPairs(pairs)
  if (sorted.length === 0) return new Map()
  // Each look is one into an index: the conditions together would read all conversations of the sender.
  const rows = await tx.send(sql<OpenConversation & { position: string }>`
    with found as materialized (
      select position, own.team_id, own.id
      from ${rowsOf(sorted.map(withForms), pairColumns).as('pair', 'position')}
      left join lateral (
        select known_as from whatsapp_conversations as conversation where ${ofCustomer} and known_as is not null limit 1
      ) as alias on true
      cross join lateral (
        (select team_id, id from whatsapp_conversations as conversation where ${ofCustomer} limit ${numbersMax})
        union
        (select team_id, id from whatsapp_conversations as conversation
          where conversation.team_id = pair.team_id and conversation.sender_id = pair.sender_id
            and conversation.phone_number = alias.known_as)
      ) as own
    )
    select conversation.team_id as "teamId", conversation.id, conversation.sender_id as "senderId",
      conversation.phone_number as "phoneNumber", window_expires_at as "windowExpiresAt", position
    from found
    join whatsapp_conversations as conversation on conversation.team_id = found.team_id and conversation.id = found.id
    order by conversation.id
    for no key update of conversation
  `)
  const best = new Map<string, OpenConversation>()
  for (const { position, ...conversation } of rows.toSorted(byLastWord))
    best.set(pairKey(sorted[Number(position) - 1]!), conversation)
  return best
}

/** Sorts conversations without a customer's word first, and then the one with the latest word last. */
function byLastWord(one: OpenConversation, other: OpenConversation): number {
  const [left, right] = [one, other].map(({ windowExpiresAt }) => windowExpiresAt?.getTime() ?? 0)
  return left! - right! || (one.id < other.id ? 1 : -1)
}

/**
 * Begins those conversations of `toBegin` that do not exist yet, and locks the wanted ones until the transaction ends.
 * A conversation that another transaction deletes meanwhile, with its last message, begins anew.
 */
export async function openConversations(
  tx: Tx,
  wanted: Pair[],
  toBegin = wanted,
): Promise<{ begun: ConversationRef[]; conversations: Map<string, OpenConversation> }> {
  const [begun, conversations] = await allEnded([beginConversations(tx, toBegin), lockConversations(tx, wanted)])
  const deleted = toBegin.filter((pair) => !conversations.has(pairKey(pair)))
  if (deleted.length === 0) return { begun, conversations }
  const again = await openConversations(tx, deleted)
  return { begun: [...begun, ...again.begun], conversations: new Map([...conversations, ...again.conversations]) }
}

/** Notes the numbers under which the provider knows the customers of these messages. */
export async function noteCustomerNumbers(
  tx: Tx,
  messages: { teamId: string; messageId: string; number: string }[],
): SentAtOnce {
  if (messages.length === 0) return
  const rows = messages.map((message) => ({ ...message, number: numberForms(message.number)[0]! }))
  await tx.send(sql`
    update whatsapp_conversations as conversation set known_as = told.number
    from (
      select distinct on (conversation.id) conversation.team_id, conversation.id, new.number
      from ${rowsOf(rows, { teamId: 'uuid', messageId: 'uuid', number: 'text' }).as('new')}
      join whatsapp_messages as message on message.team_id = new.team_id and message.id = new.message_id
      join whatsapp_conversations as conversation
        on conversation.team_id = message.team_id and conversation.id = message.conversation_id
      order by conversation.id
    ) as told
    where conversation.team_id = told.team_id and conversation.id = told.id
      and conversation.known_as is distinct from told.number
  `)
}

/** Tells whether a window is open. It is closed at the moment its 24 hours end. */
export function isWindowOpen(windowExpiresAt: Date | null, now: Date): boolean {
  return windowExpiresAt !== null && now < windowExpiresAt
}
