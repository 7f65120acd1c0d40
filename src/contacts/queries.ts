import { type Expression, sql } from 'kysely'
import type { Db } from '../context.ts'
import { normalizeAddress } from '../platform/mail-address.ts'
import { bytesOf, type Taken, takeContent } from '../platform/pagination.ts'
import { type TextColumn, type TextName, textColumns, textFields, textNames } from './fields.ts'
import { membershipBytes } from './membership-bytes.ts'

export type ContactRow = Record<TextName, string | null> & {
  id: string
  email: string
  unsubscribed: boolean
  properties: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

/** For statements: `first_name, last_name, …`. */
export const textColumnList = sql.join(textColumns.map((column) => sql.ref(column)))
/** For updates from rows called `new`: `first_name = new.first_name, …`. */
export const textsFromNew = sql.join(textColumns.map((column) => sql`${sql.ref(column)} = new.${sql.ref(column)}`))
/** For `rowsOf`. */
export const textTypes = Object.fromEntries(textColumns.map((column) => [column, 'text'])) as Record<TextColumn, 'text'>

type SelectedText = { [N in TextName]: `${(typeof textFields)[N]['column']} as ${N}` }[TextName]

export const contactColumns = [
  'id',
  'email',
  ...textNames.map((name) => `${textFields[name].column} as ${name}` as SelectedText),
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

/** Finds a contact by its address, regardless of case. */
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

/** Lists contacts, newest first. */
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

/** Takes as many of these contacts as fit into one answer together with their segments and topics. */
export function takeContacts(
  db: Db,
  rows: Expression<ContactRow>,
  { teamId, limit }: PageOfContacts,
): Promise<Taken<ContactRow>> {
  const own = bytesOf('email', ...textNames, 'properties')
  return takeContent(db, rows, { limit, bytes: sql`${own} + ${membershipBytes(teamId, sql`listed.id`)}` })
}
