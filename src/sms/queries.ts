import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { modeColumn } from '../platform/mode/mode.ts'
import { bytesOf, takeContent } from '../platform/pagination.ts'
import type { Sms } from './schema.ts'

export const smsColumns = [
  'id',
  'to_number as to',
  'body',
  'message_type as messageType',
  'status',
  'segments',
  'provider_message_id as providerMessageId',
  'sender_id as senderId',
  'sender_name as senderName',
  modeColumn,
  'created_at as createdAt',
  'sent_at as sentAt',
] as const

export function findSms(db: Db, teamId: string, id: string): Promise<Sms | undefined> {
  return db
    .selectFrom('sms_messages')
    .select(smsColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns those messages that exist, in the given order. `isAnswered`: the provider has answered, or never will. */
export async function findSeveral(db: Db, teamId: string, ids: string[]): Promise<(Sms & { isAnswered: boolean })[]> {
  const rows = await db
    .selectFrom('sms_messages')
    .select([...smsColumns, 'billable'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  const byId = new Map(rows.map(({ billable, ...sms }) => [sms.id, { ...sms, isAnswered: billable !== null }]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export type SmsEvent = { id: string; type: string; createdAt: Date; data: Record<string, unknown> | null }

/** More events than any message has. */
const eventsMax = 1000

/** Returns the newest events, newest first: at most `eventsMax`, and at most the bytes of a page. */
export async function listSmsEvents(db: Db, teamId: string, messageId: string): Promise<SmsEvent[]> {
  const newest = db
    .selectFrom('sms_events')
    .select(['id', 'type', 'created_at as createdAt', 'data'])
    .where('team_id', '=', teamId)
    .where('message_id', '=', messageId)
    .orderBy('id', 'desc')
    .limit(eventsMax)
  return (await takeContent(db, newest, { limit: eventsMax, bytes: bytesOf('data') })).rows
}
