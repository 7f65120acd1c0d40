import { sql } from 'kysely'
import type { App, Caller } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { Name, Strict } from '../platform/http/schema/schema.ts'
import { addNamedContacts } from '../segments/add-contacts.ts'
import { createSegment, deleteSegment, findSegment, listSegments, updateSegment } from '../segments/group.ts'
import { removeContact } from '../segments/remove-contact.ts'
import { findTheirContact } from './find-contact.ts'
import { listOf, type PageQuery, readRows, readTheirPage } from './pages.ts'
import { iso } from './times.ts'

export const SegmentBody = Strict({ name: Name({ maxLength: 200 }) })

function theirSegment({ id, name, createdAt }: { id: string; name: string; createdAt: Date }) {
  return { id, name, created_at: iso(createdAt) }
}

export async function createTheirSegment(app: App, { teamId }: Caller, { body }: { body: { name: string } }) {
  const made = await createSegment(app, teamId, body)
  return { object: 'segment', id: made!.id, name: made!.name }
}

export async function listTheirSegments(app: App, { teamId }: Caller, { query }: { query: PageQuery }) {
  const ids = sql`select id from segments where team_id = ${teamId}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listSegments(app, teamId, ours))
  return listOf(data.map(theirSegment), hasMore)
}

export async function getTheirSegment(app: App, { teamId }: Caller, { id }: { id: string }) {
  return { object: 'segment', ...theirSegment(await orNotFound('segment', findSegment(app.db, teamId, id))) }
}

export async function updateTheirSegment(
  app: App,
  { teamId }: Caller,
  { id, body }: { id: string; body: { name: string } },
) {
  await updateSegment(app, teamId, id, body)
  return { object: 'segment', id }
}

export async function deleteTheirSegment(app: App, { teamId }: Caller, { id }: { id: string }) {
  return { object: 'segment', ...(await deleteSegment(app, teamId, id)) }
}

export async function addToTheirSegment(
  app: App,
  { teamId }: Caller,
  { id: contact, innerId: segmentId }: { id: string; innerId: string },
) {
  const { id } = await findTheirContact(app.db, teamId, contact)
  await addNamedContacts(app, { teamId, segmentId, contactIds: [id] })
  return { id: segmentId }
}

export async function removeFromTheirSegment(
  app: App,
  { teamId }: Caller,
  { id: contact, innerId: segmentId }: { id: string; innerId: string },
) {
  const { id } = await findTheirContact(app.db, teamId, contact)
  await removeContact(app, teamId, segmentId, id)
  return { id: segmentId, audienceId: segmentId, deleted: true }
}

export async function listSegmentsOfContact(
  app: App,
  { teamId }: Caller,
  { id: contact, query }: { id: string; query: PageQuery },
) {
  const found = await findTheirContact(app.db, teamId, contact)
  const rows = sql<{ id: string; name: string; createdAt: Date }>`
    select segment.id, segment.name, segment.created_at as "createdAt" from segment_contacts as member
    join segments as segment on segment.team_id = member.team_id and segment.id = member.segment_id
    where member.team_id = ${teamId} and member.contact_id = ${found.id}
  `
  const { data, hasMore } = await readRows(app, query, rows)
  return listOf(data.map(theirSegment), hasMore)
}
