import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { changeContact } from '../contacts/change.ts'
import { createContact } from '../contacts/create.ts'
import { deleteContact } from '../contacts/delete.ts'
import { type ContactRow, findContactByEmail, findContactByIdOrEmail } from '../contacts/queries.ts'
import type { ContactChanges } from '../contacts/schema.ts'
import type { App } from '../context.ts'
import { DomainError, invalid, orNotFound } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Dictionary, Nullable, Strict, Text } from '../platform/http/schema/schema.ts'
import { addNamedContacts } from '../segments/add-contacts.ts'
import { findSegment } from '../segments/group.ts'
import { findTheirContact, refuseUnknownTopics, Subscriptions, setSubscriptions } from './memberships.ts'
import { ourFields, theirFields } from './names.ts'
import { readRows } from './pages.ts'
import { asRead, lists, rowsOf } from './route-like.ts'

const NameText = Type.Optional(Nullable(Text({ maxLength: 200 })))
const Properties = Dictionary(
  Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'], maxLength: 65_536 }),
  { maxProperties: 1000 },
)
const fields = {
  first_name: NameText,
  last_name: NameText,
  unsubscribed: Type.Optional(Type.Boolean()),
  properties: Type.Optional(Properties),
}
const ContactChangesBody = Strict(fields)
const person = { email: Text({ minLength: 1, maxLength: 320 }), ...fields }
const AudienceContact = Strict(person)
const NewContact = Strict({
  ...person,
  segments: Type.Optional(Type.Array(Strict({ id: Type.String({ format: 'uuid' }) }), { maxItems: 100 })),
  topics: Type.Optional(Subscriptions),
})
type NewContact = Static<typeof NewContact>

/** Only what Resend's properties may be: texts and numbers. Other values show as text. */
function theirProperties(properties: ContactRow['properties']) {
  const shown = Object.entries(kept(properties)).map(([name, value]) => {
    if (typeof value === 'number') return [name, { type: 'number', value }]
    return [name, { type: 'string', value: typeof value === 'string' ? value : JSON.stringify(value) }]
  })
  return Object.fromEntries(shown)
}

/** Selects the columns that Resend's lists show. */
const columns = sql`email, first_name, last_name, contact.created_at, unsubscribed`

const { shows } = rowsOf('contact')

export const theirContactRoutes: Route[] = [
  shows('createContact', 'POST /contacts', NewContact, ({ app, teamId, body }) => createTheirs(app, teamId, body)),
  lists('listContacts', '/contacts', asRead, ({ app, teamId, query }) =>
    readRows(app, teamId, query, sql`select id, ${columns} from contacts as contact where team_id = ${teamId}`),
  ),
  ...(['/contacts/:contact', '/audiences/:audienceId/contacts/:contact'] as const).flatMap((path) => [
    shows('getContact', `GET ${path}`, async ({ app, teamId, contact }) => {
      const found = await findTheirContact(app.db, teamId, contact)
      const shown = theirFields(found, 'id', 'email', 'firstName', 'lastName', 'createdAt', 'unsubscribed')
      return { ...shown, properties: theirProperties(found.properties) }
    }),
    shows('updateContact', `PATCH ${path}`, ContactChangesBody, async ({ app, teamId, contact, body }) => {
      const { id } = await changeTheirs(app, teamId, contact, ourFields(body))
      return { id }
    }),
    // Succeeds also for a contact that is not there, as Resend does.
    shows('deleteContact', `DELETE ${path}`, async ({ app, teamId, contact }) => {
      const found = await findContactByIdOrEmail(app.db, teamId, contact)
      if (found) await deleteContact(app, teamId, found.id)
      return { contact: found?.id ?? contact, deleted: true }
    }),
  ]),

  ...(['/segments/:id/contacts', '/audiences/:id/contacts'] as const).flatMap((path) => [
    lists('listContacts', path, asRead, async ({ app, teamId, id, query }) => {
      await orNotFound('segment', findSegment(app.db, teamId, id))
      const members = sql<{ id: string }>`
        select member.contact_id as id, ${columns} from segment_contacts as member
        join contacts as contact on contact.team_id = member.team_id and contact.id = member.contact_id
        where member.team_id = ${teamId} and member.segment_id = ${id}
      `
      return readRows(app, teamId, query, members)
    }),
    shows('createContact', `POST ${path}`, AudienceContact, async ({ app, teamId, id, body }) => {
      await orNotFound('segment', findSegment(app.db, teamId, id))
      return createTheirs(app, teamId, { ...body, segments: [{ id }] })
    }),
  ]),
]

/** Creates a contact, or updates the one that has the address: it stays unsubscribed if it is. */
async function createTheirs(app: App, teamId: string, { segments = [], topics = [], ...body }: NewContact) {
  for (const { id } of segments) {
    if (!(await findSegment(app.db, teamId, id))) throw invalid('segmentId', 'is not a segment of this team')
  }
  await refuseUnknownTopics(app.db, teamId, topics)
  const id = await createOrUpdate(app, teamId, body)
  for (const segment of segments) await addNamedContacts(app, { teamId, segmentId: segment.id, contactIds: [id] })
  await setSubscriptions(app, teamId, id, topics)
  return { id }
}

async function createOrUpdate(app: App, teamId: string, { email, ...body }: NewContact): Promise<string> {
  const { unsubscribed, properties, ...given } = ourFields(body)
  const changes = { ...given, ...(properties && { properties }), ...(unsubscribed && { unsubscribed }) }
  const known = await findContactByEmail(app.db, teamId, email)
  if (known) return (await changeTheirs(app, teamId, known.id, changes)).id
  try {
    const { id } = await createContact(app, teamId, { email, ...given, properties: kept(properties ?? {}) })
    if (unsubscribed) await changeTheirs(app, teamId, id, { unsubscribed })
    return id
  } catch (error) {
    // Another request has just made it.
    if (!(error instanceof DomainError && error.kind === 'conflict')) throw error
    return (await changeTheirs(app, teamId, email, changes)).id
  }
}

function kept(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
}

/** Given properties join the others; those that are null go. */
function changeTheirs(app: App, teamId: string, contact: string, given: ContactChanges): Promise<ContactRow> {
  const change = { teamId, contact, given, mergeProperties: true, removesNulls: true }
  return orNotFound('contact', changeContact(app, change))
}
