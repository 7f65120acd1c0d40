import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { type ContactRow, findContact } from '../queries.ts'
import { membershipsMax } from './memberships-max.ts'
import { topicsOfContact } from './topics-of-contact.ts'

export type Contact = ContactRow & {
  segments: { segmentId: string; name: string }[]
  topics: { topicId: string; name: string }[]
}

export async function findWholeContact(db: Db, teamId: string, id: string): Promise<Contact | undefined> {
  const contact = await findContact(db, teamId, id)
  return contact && (await withMemberships(db, teamId, [contact]))[0]
}

/**
 * Adds the segments and topics of contacts, newest first and at most `membershipsMax` of each. Runs two statements for
 * any number of contacts.
 */
export async function withMemberships(db: Db, teamId: string, contacts: ContactRow[]): Promise<Contact[]> {
  if (contacts.length === 0) return []
  const ids = contacts.map(({ id }) => id)
  const segments = await findSegments(db, teamId, ids)
  const topics = await findTopics(db, teamId, ids)
  return contacts.map((contact) => ({
    ...contact,
    segments: segments.get(contact.id) ?? [],
    topics: topics.get(contact.id) ?? [],
  }))
}

async function findSegments(db: Db, teamId: string, contactIds: string[]) {
  const { rows } = await sql<{ contactId: string; segmentId: string; name: string }>`
    select wanted.id as "contactId", found."segmentId", found.name
    from unnest(${contactIds}::uuid[]) as wanted (id)
    cross join lateral (
      select segment.id as "segmentId", segment.name from segment_contacts as member
      join segments as segment on segment.team_id = member.team_id and segment.id = member.segment_id
      where member.team_id = ${teamId} and member.contact_id = wanted.id
      order by segment.id desc limit ${membershipsMax}
    ) as found
    order by found."segmentId" desc
  `.execute(db)
  return byContact(rows)
}

async function findTopics(db: Db, teamId: string, contactIds: string[]) {
  const { rows } = await sql<{ contactId: string; topicId: string; name: string }>`
    select wanted.id as "contactId", found.id as "topicId", found.name
    from unnest(${contactIds}::uuid[]) as wanted (id)
    cross join lateral (${topicsOfContact(teamId, sql`wanted.id`)}) as found
    order by found.id desc
  `.execute(db)
  return byContact(rows)
}

function byContact<Row extends { contactId: string }>(rows: Row[]): Map<string, Omit<Row, 'contactId'>[]> {
  const found = new Map<string, Omit<Row, 'contactId'>[]>()
  for (const { contactId, ...row } of rows) {
    const its = found.get(contactId)
    if (its) its.push(row)
    else found.set(contactId, [row])
  }
  return found
}
