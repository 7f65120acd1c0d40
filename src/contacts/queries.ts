import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Caller, Db } from '../context.ts'
import { isUuid } from '../platform/ids.ts'
import { teamsReachedBy } from '../platform/mode/caller.ts'
import { bytesOf, pageLimit, type Taken, takeContent } from '../platform/pagination.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { type TextColumn, type TextName, textColumns, textFields, textNames } from './fields.ts'
import { membershipBytes } from './memberships/membership-bytes.ts'

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

/** Finds a contact that the caller reaches: for a signed-in person in test mode also one of the live team. */
export async function findReachedContact(db: Db, caller: Caller, id: string): Promise<ContactRow | undefined> {
  const found = await Promise.all(teamsReachedBy(caller).map((teamId) => findContact(db, teamId, id)))
  return found.find((contact) => contact !== undefined)
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

/** Finds a contact by its id, or by its address regardless of case. */
export function findContactByIdOrEmail(db: Db, teamId: string, one: string): Promise<ContactRow | undefined> {
  return (isUuid(one) ? findContact : findContactByEmail)(db, teamId, one)
}

export type ContactFilter = {
  segmentId?: string | undefined
  /** Those that are opted in to it. */
  topicId?: string | undefined
  /** True if contacts without a record of the topic are opted in to it. */
  isOptedInByDefault?: boolean
  unsubscribed?: boolean | undefined
}

/** `before` is the id where the last page ended. */
export type PageOfContacts = ContactFilter & { teamId: string; before: string | null; limit: number }

const texts = textNames.map((name) => sql`contact.${sql.ref(textFields[name].column)} as ${sql.ref(name)}`)
/** The columns of `contact`, as `ContactRow`. */
export const columnsOfContact = sql`
  contact.id, contact.email, ${sql.join(texts)}, contact.unsubscribed, contact.properties,
  contact.created_at as "createdAt", contact.updated_at as "updatedAt"
`

/**
 * Makes `from … where …` over the contacts of a page, called `contact`. It names only the conditions that are asked
 * for, so that each form gets a plan that fits it. Members are joined, and bounded as the contacts are, so that they
 * can be read in the order of ids.
 */
export function contactsOf(page: PageOfContacts): RawBuilder<unknown> {
  const { teamId, before, segmentId, topicId, isOptedInByDefault, unsubscribed } = page
  const isBefore = (id: RawBuilder<unknown>) => (before ? sql`and ${id} < ${before}` : sql``)
  const inSegment = sql`join segment_contacts as member on member.contact_id = contact.id and member.team_id = ${teamId}
    and member.segment_id = ${segmentId} ${isBefore(sql`member.contact_id`)}`
  const inTopic = sql`join topic_subscriptions as subscription on subscription.contact_id = contact.id
    and subscription.team_id = ${teamId} and subscription.topic_id = ${topicId} and subscription.status = 'opt_in'
    ${isBefore(sql`subscription.contact_id`)}`
  const hasNotOptedOut = sql`and not exists (select from topic_subscriptions as subscription
    where subscription.team_id = ${teamId} and subscription.topic_id = ${topicId}
      and subscription.contact_id = contact.id and subscription.status = 'opt_out')`
  return sql`
    from contacts as contact ${segmentId ? inSegment : sql``} ${topicId && !isOptedInByDefault ? inTopic : sql``}
    where contact.team_id = ${teamId} ${isBefore(sql`contact.id`)}
      ${topicId && isOptedInByDefault ? hasNotOptedOut : sql``}
      ${unsubscribed === undefined ? sql`` : sql`and contact.unsubscribed = ${unsubscribed}`}
  `
}

/** Selects one contact more than the page has, newest first. */
export function newestContacts(page: PageOfContacts): RawBuilder<ContactRow> {
  return sql<ContactRow>`
    select ${columnsOfContact} ${contactsOf(page)} order by contact.id desc limit ${pageLimit(page.limit + 1)}
  `
}

/** Lists contacts, newest first. */
export function listContactsOfTeam(db: Db, page: PageOfContacts): Promise<Taken<ContactRow>> {
  return takeContacts(db, newestContacts(page), page)
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
