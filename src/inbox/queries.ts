import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { likeAnyCase } from '../platform/sql/like.ts'

export const summaryColumns = [
  'id',
  'email_id as emailId',
  'from_address as from',
  'to_addresses as to',
  'subject',
  'created_at as createdAt',
] as const

export function findInboxMessage(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('inbox_messages')
    .select([...summaryColumns, 'bcc_addresses as bcc', 'raw', 'system'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds the size of a message without reading it. */
export async function findInboxBytes(db: Db, teamId: string, id: string): Promise<number | null> {
  const row = await db
    .selectFrom('inbox_messages')
    .select(sql<number>`octet_length(raw)`.as('bytes'))
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.bytes ?? null
}

/** Subject, sender and recipients, by the index over them. */
export function matchesText(pattern: string) {
  return likeAnyCase(sql`inbox_search_text(subject, from_address, to_addresses)`, pattern)
}
