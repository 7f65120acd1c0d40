import { type Expression, sql } from 'kysely'
import type { Db } from '../context.ts'
import { normalizeAddress } from '../platform/mail-address.ts'
import { bytesOf, type Taken, takeContent } from '../platform/pagination.ts'
import { membershipBytes } from './membership-bytes.ts'

export type ContactRow = {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  phoneNumber: string | null
  unsubscribed: boolean
  properties: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

export const contactColumns = [
  'id',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'phone_number as phoneNumber',
  'unsubscribed',
  'properties',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export function findContact(db: Db, teamId: string, id: string): Promise<ContactRow | undefined> {
  return db
    .selectFrom('contacts')
    .select(contactColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** By its address, whatever its case. */
export function findContactByEmail(db: Db, teamId: string, email: string): Promise<ContactRow | undefined> {
  return db
    .selectFrom('contacts')
    .select(contactColumns)
    .where('team_id', '=', teamId)
    .where('email_key', '=', normalizeAddress(email))
    .executeTakeFirst()
}

/** `before` is the id where the last page ended. */
export type PageOfContacts = { teamId: string; before: string | null; limit: number }

/** Newest first. */
export function listContactsOfTeam(db: Db, page: PageOfContacts): Promise<Taken<ContactRow>> {
  const { teamId, before, limit } = page
  const rows = db
    .selectFrom('contacts')
    .select(contactColumns)
    .where('team_id', '=', teamId)
    .$if(before !== null, (rows) => rows.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
  return takeContacts(db, rows, page)
}

/** As many of these contacts as one answer holds, with the segments and topics that it names. */
export function takeContacts(
  db: Db,
  rows: Expression<ContactRow>,
  { teamId, limit }: PageOfContacts,
): Promise<Taken<ContactRow>> {
  const own = bytesOf('email', 'firstName', 'lastName', 'properties')
  return takeContent(db, rows, { limit, bytes: sql`${own} + ${membershipBytes(teamId, sql`listed.id`)}` })
}
