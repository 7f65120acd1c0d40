import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { changeContact } from '../contacts/change.ts'
import { createContact } from '../contacts/create.ts'
import { deleteContact } from '../contacts/delete.ts'
import { listContacts } from '../contacts/list.ts'
import { type ContactRow, findContact, findContactByEmail } from '../contacts/queries.ts'
import type { ContactChanges } from '../contacts/schema.ts'
import type { App, Caller, Db } from '../context.ts'
import { DomainError, invalid, orNotFound } from '../platform/errors.ts'
import { Dictionary, Nullable, Strict, Text } from '../platform/http/schema/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { addNamedContacts } from '../segments/add-contacts.ts'
import { findSegment } from '../segments/group.ts'
import { findTheirContact } from './find-contact.ts'
import { listOf, type PageQuery, readTheirPage } from './pages.ts'
import { iso } from './times.ts'
import { Subscriptions, setSubscriptions } from './topics.ts'

const NameText = Type.Optional(Nullable(Text({ maxLength: 200 })))
const Properties = Type.Optional(
  Dictionary(
    Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'], maxLength: 65_536 }),
    { maxProperties: 1000 },
  ),
)
const fields = {
  first_name: NameText,
  last_name: NameText,
  unsubscribed: Type.Optional(Type.Boolean()),
  properties: Properties,
}

const person = { email: Text({ minLength: 1, maxLength: 320 }), ...fields }
export const AudienceContactBody = Strict(person)
export const NewContactBody = Strict({
  ...person,
  segments: Type.Optional(Type.Array(Strict({ id: Type.String({ format: 'uuid' }) }), { maxItems: 100 })),
  topics: Type.Optional(Subscriptions),
})
type NewContactBody = Static<typeof NewContactBody>
export const ContactChangesBody = Strict(fields)

/** Their fields as ours. A property that is null is removed. */
function changesOf({
  first_name,
  last_name,
  unsubscribed,
  properties,
}: Static<typeof ContactChangesBody>): ContactChanges {
  return {
    ...(first_name !== undefined && { firstName: first_name }),
    ...(last_name !== undefined && { lastName: last_name }),
    ...(unsubscribed !== undefined && { unsubscribed }),
    ...(properties && { properties }),
  }
}

function theirContact({ id, email, firstName, lastName, createdAt, unsubscribed }: ContactRow) {
  return { id, email, first_name: firstName, last_name: lastName, created_at: iso(createdAt), unsubscribed }
}

/** Only what Resend's properties may be: texts and numbers. Other values show as text. */
function theirProperties(properties: ContactRow['properties']) {
  const shown: Record<string, { type: 'string' | 'number'; value: unknown }> = {}
  for (const [name, value] of Object.entries(kept(properties))) {
    if (typeof value === 'number') shown[name] = { type: 'number', value }
    else shown[name] = { type: 'string', value: typeof value === 'string' ? value : JSON.stringify(value) }
  }
  return shown
}

/** Creates a contact, or updates the one that has the address: it stays unsubscribed if it is. */
export async function createTheirContact(
  app: App,
  { teamId }: Caller,
  { body: { segments, topics, ...body } }: { body: NewContactBody },
) {
  for (const { id } of segments ?? []) await refuseUnknownSegment(app.db, teamId, id)
  const id = await createOrUpdate(app, teamId, body)
  for (const segment of segments ?? []) await addNamedContacts(app, { teamId, segmentId: segment.id, contactIds: [id] })
  if (topics) await setSubscriptions(app, teamId, id, topics)
  return { object: 'contact', id }
}

/** Creates a contact in the segment of the path. */
export async function createContactOfSegment(
  app: App,
  caller: Caller,
  { id, body }: { id: string; body: Static<typeof AudienceContactBody> },
) {
  await orNotFound('segment', findSegment(app.db, caller.teamId, id))
  return createTheirContact(app, caller, { body: { ...body, segments: [{ id }] } })
}

async function createOrUpdate(app: App, teamId: string, { email, ...body }: NewContactBody): Promise<string> {
  const { unsubscribed, ...given } = changesOf(body)
  const stay = unsubscribed === true ? { unsubscribed } : {}
  const known = await findContactByEmail(app.db, teamId, email)
  if (known) return (await change(app, teamId, known.id, { ...given, ...stay })).id
  try {
    const { id } = await createContact(app, teamId, { email, ...withoutNulls(given) })
    if (unsubscribed) await change(app, teamId, id, { unsubscribed })
    return id
  } catch (error) {
    // Another request has just made it.
    if (!(error instanceof DomainError && error.kind === 'conflict')) throw error
    return (await change(app, teamId, email, { ...given, ...stay })).id
  }
}

function withoutNulls({ properties, ...given }: ContactChanges) {
  return { ...given, ...(properties && { properties: kept(properties) }) }
}

function kept(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
}

/** Given properties join the others; those that are null go. */
async function change(app: App, teamId: string, contact: string, given: ContactChanges): Promise<ContactRow> {
  if (Object.keys(given).length === 0) return findTheirContact(app.db, teamId, contact)
  return orNotFound(
    'contact',
    changeContact(app, { teamId, contact, given, mergeProperties: true, removesNulls: true }),
  )
}

export async function listTheirContacts(
  app: App,
  { teamId }: Caller,
  { query, id: segmentId }: { query: PageQuery; id?: string },
) {
  if (segmentId) await orNotFound('segment', findSegment(app.db, teamId, segmentId))
  const ids = segmentId
    ? sql`select contact_id as id from segment_contacts where team_id = ${teamId} and segment_id = ${segmentId}`
    : sql`select id from contacts where team_id = ${teamId}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) =>
    listContacts(app, teamId, { ...ours, ...(segmentId && { segmentId }) }),
  )
  return listOf(data.map(theirContact), hasMore)
}

async function refuseUnknownSegment(db: Db, teamId: string, id: string): Promise<void> {
  if (!(await findSegment(db, teamId, id))) throw invalid('segmentId', 'is not a segment of this team')
}

export async function getTheirContact(app: App, { teamId }: Caller, { id: contact }: { id: string }) {
  const found = await findTheirContact(app.db, teamId, contact)
  return { object: 'contact', ...theirContact(found), properties: theirProperties(found.properties) }
}

export async function updateTheirContact(
  app: App,
  { teamId }: Caller,
  { id: contact, body }: { id: string; body: Static<typeof ContactChangesBody> },
) {
  return { object: 'contact', id: (await change(app, teamId, contact, changesOf(body))).id }
}

/** Succeeds also for a contact that is not there, as Resend does. */
export async function deleteTheirContact(app: App, { teamId }: Caller, { id: contact }: { id: string }) {
  const found = await (isUuid(contact) ? findContact : findContactByEmail)(app.db, teamId, contact)
  if (found) await deleteContact(app, teamId, found.id)
  return { object: 'contact', contact: found?.id ?? contact, deleted: true }
}
