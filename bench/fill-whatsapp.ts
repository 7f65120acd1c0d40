import type pg from 'pg'
import { knownCustomers, knownNumber, phoneNumberId, sentId } from './whatsapp-traffic.ts'
import { callApi, type Parts } from './with-posthorn.ts'

/** The team and the sender of the messages. */
export type Shop = { teamId: string; senderId: string }

/** The prefix of the tables: none for ours, `bare_` for the reference. */
export type Tables = '' | 'bare_'

export const shopNumber = '+99900000001'
export const sentBody = 'Your parcel is on its way.'

/** Makes a verified sender of the sandbox team. */
export async function makeShop(parts: Parts): Promise<Shop> {
  const sender = { name: 'Shop', phoneNumber: shopNumber, wabaId: '102290129340398', phoneNumberId }
  const { id } = await callApi<{ id: string }>(parts, 'POST', '/v1/whatsapp/senders', sender)
  await callApi(parts, 'POST', `/v1/whatsapp/senders/${id}/verify`)
  return { teamId: parts.teamId, senderId: id }
}

/** Makes tables with the same columns and indexes as ours, without foreign keys. */
export async function makeBareWhatsapp(database: pg.Pool): Promise<void> {
  for (const table of ['whatsapp_conversations', 'whatsapp_messages', 'whatsapp_events']) {
    await database.query(`create table bare_${table} (like ${table} including all)`)
  }
  // Our table has this setting, which `like` omits.
  await database.query('alter table bare_whatsapp_messages set (fillfactor = 50)')
}

export async function fillConversations(database: pg.Pool, tables: Tables, shop: Shop): Promise<void> {
  const numbers = Array.from({ length: knownCustomers }, (_, n) => knownNumber(n))
  await database.query(insertConversations(tables), [shop.teamId, shop.senderId, sentBody, numbers])
}

/** Inserts messages `from` up to `to`, sent without a status, each to the next of the known customers. */
export async function fillSent(database: pg.Pool, tables: Tables, shop: Shop, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, n) => knownNumber((from + n) % knownCustomers))
  const ids = Array.from({ length: to - from }, (_, n) => sentId(from + n))
  await database.query(insertSent(tables), [shop.teamId, shop.senderId, shopNumber, sentBody, numbers, ids])
  // Does what autovacuum would have done meanwhile.
  for (const table of ['conversations', 'messages', 'events'])
    await database.query(`vacuum (analyze) ${tables}whatsapp_${table}`)
}

const insertConversations = (tables: Tables) => `
  insert into ${tables}whatsapp_conversations
    (team_id, id, sender_id, phone_number, last_message_at, last_message_preview, created_at)
  select $1, uuidv7(), $2, phone_number, now() - interval '1 day', $3, now() - interval '1 day'
  from unnest($4::text[]) as new (phone_number)
`

const insertSent = (tables: Tables) => `
  with message as (
    insert into ${tables}whatsapp_messages (team_id, id, conversation_id, sender_id, direction, from_number, to_number,
      template_name, body, status, provider_message_id, handed_over_at, created_at, sent_at)
    select $1, uuidv7(), conversation.id, $2, 'outbound', $3, phone_number, 'order_shipped', $4, 'sent',
      new.provider_message_id, now(), now(), now()
    from unnest($5::text[], $6::text[]) as new (phone_number, provider_message_id)
    join ${tables}whatsapp_conversations as conversation using (phone_number)
    where conversation.team_id = $1 and conversation.sender_id = $2
    returning team_id, id
  )
  insert into ${tables}whatsapp_events (team_id, message_id, type, id, created_at)
  select team_id, id, 'sent', uuidv7(), now() from message
`
