import type pg from 'pg'
import { type Shop, shopNumber } from './fill-whatsapp.ts'
import type { CustomerMessage, StatusTold, WhatsappEvent } from './whatsapp-traffic.ts'

/**
 * Does the minimum for the events of a call, in one commit: their conversations, messages and changed statuses, each
 * once, with their events. Each statement is named and covers the whole call.
 */
export async function bareEvents(database: pg.Pool, shop: Shop, events: WhatsappEvent[]): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    const messages = events.filter((event) => event.type === 'message')
    const statuses = events.filter((event) => event.type === 'status')
    if (messages.length > 0) await bareMessages(client, shop, messages)
    if (statuses.length > 0) await bareStatuses(client, shop, statuses)
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function bareMessages(client: pg.PoolClient, shop: Shop, messages: CustomerMessage[]): Promise<void> {
  const { teamId, senderId } = shop
  const numbers = messages.map(({ from }) => `+${from}`)
  const texts = messages.map(({ text }) => text)
  const names = messages.map(({ contactName }) => contactName)
  const times = messages.map(({ timestamp }) => timestamp)
  const conversations = await all(client, 'bare-conversations', upsertConversations, [
    ...[teamId, senderId, numbers, names, times, texts],
  ])
  const idOf = new Map(conversations.map(({ id, key }) => [key, id]))
  await all(client, 'bare-messages', insertMessages, [
    ...[teamId, senderId, shopNumber, numbers.map((number) => idOf.get(number)), numbers, texts],
    messages.map(({ providerMessageId }) => providerMessageId),
  ])
}

async function bareStatuses(client: pg.PoolClient, { teamId }: Shop, statuses: StatusTold[]): Promise<void> {
  const ids = statuses.map(({ providerMessageId }) => providerMessageId)
  const moved = await all(client, 'bare-statuses', moveStatuses, [ids, statuses.map(({ status }) => status)])
  const messageOf = new Map(moved.map(({ id, key }) => [key, id]))
  await all(client, 'bare-events', insertEvents, [
    ...[teamId, ids.map((id) => messageOf.get(id)), statuses.map(({ status }) => status)],
    statuses.map(({ data }) => JSON.stringify(data)),
  ])
}

/** Runs a statement. Every event is new, so each must return a row. */
async function all(client: pg.PoolClient, name: string, text: string, values: unknown[]) {
  const { rows } = await client.query<{ id: string; key: string }>({ name, text, values })
  const wanted = (values.at(-1) as unknown[]).length
  if (rows.length !== wanted) throw new Error(`${name} gave ${rows.length} rows of ${wanted}.`)
  return rows
}

const upsertConversations = `
  insert into bare_whatsapp_conversations as conversation (team_id, id, sender_id, phone_number, contact_name,
    window_expires_at, last_message_at, last_message_preview, created_at)
  select $1, uuidv7(), $2, phone_number, contact_name, at + interval '24 hours', at, body, now()
  from unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[]) as new (phone_number, contact_name, at, body)
  on conflict (team_id, sender_id, phone_number) do update set
    last_message_preview = case when excluded.last_message_at >= conversation.last_message_at
      then excluded.last_message_preview else conversation.last_message_preview end,
    last_message_at = greatest(conversation.last_message_at, excluded.last_message_at),
    window_expires_at = greatest(conversation.window_expires_at, excluded.window_expires_at),
    contact_name = excluded.contact_name
  returning id, phone_number as key
`
const insertMessages = `
  insert into bare_whatsapp_messages (team_id, id, conversation_id, sender_id, direction, from_number, to_number, body,
    status, provider_message_id, created_at)
  select $1, uuidv7(), conversation_id, $2, 'inbound', from_number, $3, body, 'received', provider_message_id, now()
  from unnest($4::uuid[], $5::text[], $6::text[], $7::text[])
    as new (conversation_id, from_number, body, provider_message_id)
  on conflict (team_id, sender_id, provider_message_id) where direction = 'inbound' do nothing
  returning id, provider_message_id as key
`
const moveStatuses = `
  update bare_whatsapp_messages as message set status = case
    when array_position(array['accepted', 'sent', 'delivered', 'read', 'failed'], new.status)
      > array_position(array['accepted', 'sent', 'delivered', 'read', 'failed'], message.status)
    then new.status else message.status end
  from unnest($1::text[], $2::text[]) as new (provider_message_id, status)
  where direction = 'outbound' and message.provider_message_id = new.provider_message_id
  returning id, message.provider_message_id as key
`
const insertEvents = `
  insert into bare_whatsapp_events (team_id, message_id, type, id, data, created_at)
  select $1, message_id, type, uuidv7(), data, now()
  from unnest($2::uuid[], $3::text[], $4::jsonb[]) as new (message_id, type, data)
  on conflict (team_id, message_id, type) do nothing
  returning id, message_id::text as key
`
