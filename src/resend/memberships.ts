import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { type ContactRow, findContactByIdOrEmail } from '../contacts/queries.ts'
import type { App, Db } from '../context.ts'
import { invalid, orNotFound } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Strict } from '../platform/http/schema/schema.ts'
import { addNamedContacts } from '../segments/add-contacts.ts'
import { removeContact } from '../segments/remove-contact.ts'
import { findTopic } from '../topics/group.ts'
import { optOut } from '../topics/opt-out.ts'
import { subscribeContacts } from '../topics/subscribe.ts'
import { readRows } from './pages.ts'
import { asRead, like, lists } from './route-like.ts'
import { type OurSegment, theirSegment } from './segments.ts'
import { Subscription, topicsOf } from './topics.ts'

export const Subscriptions = Type.Array(Strict({ id: Type.String({ format: 'uuid' }), subscription: Subscription }), {
  minItems: 1,
  maxItems: 100,
})

/** Finds a contact by its id or its address. Throws `notFound`. */
export function findTheirContact(db: Db, teamId: string, contact: string): Promise<ContactRow> {
  return orNotFound('contact', findContactByIdOrEmail(db, teamId, contact))
}

/** Routes that read and change the segments and topics of a contact. */
export const theirMembershipRoutes: Route[] = [
  lists('listSegments', '/contacts/:contact/segments', theirSegment, async ({ app, teamId, contact, query }) => {
    const { id } = await findTheirContact(app.db, teamId, contact)
    const rows = sql<OurSegment>`
      select segment.id, segment.name, segment.created_at as "createdAt" from segment_contacts as member
      join segments as segment on segment.team_id = member.team_id and segment.id = member.segment_id
      where member.team_id = ${teamId} and member.contact_id = ${id}
    `
    return readRows(app, teamId, query, rows)
  }),
  {
    ...like('addContactsToSegment', 'POST /contacts/:contact/segments/:segmentId', Strict({}), async (input) => {
      const { app, teamId, contact, segmentId } = input
      const { id } = await findTheirContact(app.db, teamId, contact)
      await addNamedContacts(app, { teamId, segmentId, contactIds: [id] })
      return { id: segmentId }
    }),
    bodyOptional: true,
  },
  like('removeContactFromSegment', 'DELETE /contacts/:contact/segments/:segmentId', async (input) => {
    const { app, teamId, contact, segmentId } = input
    const { id } = await findTheirContact(app.db, teamId, contact)
    await removeContact(app, teamId, segmentId, id)
    return { id: segmentId, audienceId: segmentId, deleted: true }
  }),

  // All topics of the team, with what holds for the contact: without a record, the default of the topic.
  lists('listTopics', '/contacts/:contact/topics', asRead, async ({ app, teamId, contact, query }) => {
    const { id: contactId } = await findTheirContact(app.db, teamId, contact)
    const rows = sql<{ id: string }>`
      select topic.id, name, description, coalesce(subscription.status, default_subscription) as subscription
      from (${topicsOf(teamId)}) as topic
      left join topic_subscriptions as subscription on subscription.team_id = ${teamId}
        and subscription.topic_id = topic.id and subscription.contact_id = ${contactId}
    `
    return readRows(app, teamId, query, rows)
  }),
  like('addContactsToTopic', 'PATCH /contacts/:contact/topics', Subscriptions, async ({ app, teamId, ...given }) => {
    const { id } = await findTheirContact(app.db, teamId, given.contact)
    await refuseUnknownTopics(app.db, teamId, given.body)
    await setSubscriptions(app, teamId, id, given.body)
    return { id }
  }),
]

type Subscriptions = Static<typeof Subscriptions>

/** Throws `invalid` for an unknown topic. */
export async function refuseUnknownTopics(db: Db, teamId: string, topics: Subscriptions): Promise<void> {
  for (const [at, { id }] of topics.entries()) {
    if (!(await findTopic(db, teamId, id))) throw invalid(`topics[${at}].id`, 'is not a topic of this team')
  }
}

/** Opts a contact in to topics that are known, or out of them. */
export async function setSubscriptions(
  app: App,
  teamId: string,
  contactId: string,
  topics: Subscriptions,
): Promise<void> {
  for (const { id, subscription } of topics) {
    if (subscription === 'opt_in') await subscribeContacts(app, teamId, id, [contactId])
    else await optOut(app, teamId, id, contactId, { evenIfNew: true })
  }
}
