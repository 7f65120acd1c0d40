import type pg from 'pg'
import { type Shop, sentBody, type Tables } from './fill-whatsapp.ts'
import { eventOf, knownCustomers, knownNumber, sentId } from './whatsapp-traffic.ts'

const windowMs = 24 * 3_600_000

/** Throws unless the tables contain exactly the effects of the first `told` events on the first `sent` messages. */
export async function verifyWhatsapp(
  database: pg.Pool,
  tables: Tables,
  shop: Shop,
  counts: { told: number; sent: number },
): Promise<void> {
  const expected = expectedLines(counts)
  for (const [name, query] of Object.entries(queries(tables))) {
    const { rows } = await database.query<{ line: string }>(query, [shop.teamId, shop.senderId])
    const found = rows.map(({ line }) => line).sort()
    const wanted = expected[name as keyof typeof expected].sort()
    const differs = wanted.findIndex((line, index) => line !== found[index])
    if (differs >= 0 || found.length !== wanted.length)
      throw new Error(
        `${tables}${name}: ${wanted.length} expected, ${found.length} found; ${wanted[differs]}, not ${found[differs]}`,
      )
  }
}

function expectedLines({ told, sent }: { told: number; sent: number }) {
  const received: string[] = []
  const status = new Map(Array.from({ length: sent }, (_, n) => [sentId(n), 'sent']))
  const events = Array.from(status.keys(), (id) => `${id} sent`)
  const conversations = new Map(Array.from({ length: knownCustomers }, (_, n) => [knownNumber(n), `0 ${sentBody} `]))
  for (let n = 0; n < told; n++) {
    const event = eventOf(n)
    if (event.type === 'status') {
      events.push(`${event.providerMessageId} ${event.status}`)
      // The events of each message come in order.
      status.set(event.providerMessageId, event.status)
    } else {
      received.push(`${event.providerMessageId} +${event.from} +${event.from} ${event.text}`)
      const windowExpiresAt = Date.parse(event.timestamp) + windowMs
      conversations.set(`+${event.from}`, `${windowExpiresAt} ${event.text} ${event.contactName}`)
    }
  }
  const statuses = Array.from(status, ([id, its]) => `${id} ${its}`)
  return { received, statuses, events, conversations: Array.from(conversations, (entry) => entry.join(' ')) }
}

const queries = (tables: Tables) => ({
  received: `
    select concat_ws(' ', provider_message_id, from_number, phone_number, body) as line
    from ${tables}whatsapp_messages as message
    join ${tables}whatsapp_conversations as conversation
      on conversation.team_id = message.team_id and conversation.id = conversation_id
    where message.team_id = $1 and message.sender_id = $2 and direction = 'inbound' and status = 'received'`,
  statuses: `
    select concat_ws(' ', provider_message_id, status) as line from ${tables}whatsapp_messages
    where team_id = $1 and sender_id = $2 and direction = 'outbound'`,
  events: `
    select concat_ws(' ', provider_message_id, type) as line from ${tables}whatsapp_events as event
    join ${tables}whatsapp_messages as message on message.team_id = event.team_id and message.id = message_id
    where event.team_id = $1 and sender_id = $2`,
  conversations: `
    select concat_ws(' ', phone_number, coalesce(round(extract(epoch from window_expires_at) * 1000), 0),
      last_message_preview, coalesce(contact_name, '')) as line
    from ${tables}whatsapp_conversations where team_id = $1 and sender_id = $2`,
})
