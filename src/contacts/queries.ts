import type { Db } from '../context.ts'
import { normalizeAddress } from '../platform/mail-address.ts'

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
export type PageOfContacts = { teamId: string; before: string | null; count: number }

/** Newest first. */
export function listContactsOfTeam(db: Db, { teamId, before, count }: PageOfContacts): Promise<ContactRow[]> {
  return db
    .selectFrom('contacts')
    .select(contactColumns)
    .where('team_id', '=', teamId)
    .$if(before !== null, (rows) => rows.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
