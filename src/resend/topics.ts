import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Caller, Db } from '../context.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import type { GivenEmail } from '../emails/messages/accept/parse.ts'
import { invalid, orNotFound, unprocessable } from '../platform/errors.ts'
import { Name, Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { createTopic, deleteTopic, findTopic, listTopics, updateTopic } from '../topics/group.ts'
import { optOut } from '../topics/opt-out.ts'
import { subscribeContacts } from '../topics/subscribe.ts'
import { deleteExtras, findExtras, writeExtras } from './extras.ts'
import { findTheirContact } from './find-contact.ts'
import { listOf, type PageQuery, readRows, readTheirPage } from './pages.ts'
import { iso } from './times.ts'

/** Refuses an email about a topic to contacts that opted out of it. Throws `invalid` for an unknown topic. */
export async function refuseOptedOut(
  db: Db,
  teamId: string,
  { to, cc = [], bcc = [] }: GivenEmail,
  topicId: string | null | undefined,
): Promise<void> {
  if (!topicId) return
  const addresses = [...to, ...cc, ...bcc].flatMap((text) => normalizeAddress(parseMailbox(text)?.address ?? '') || [])
  const { rows } = await sql<{ email: string | null }>`
    select contact.email from topics as topic
    left join topic_subscriptions as subscription
      on subscription.team_id = topic.team_id and subscription.topic_id = topic.id and subscription.status = 'opt_out'
      and subscription.contact_id in (
        select id from contacts where team_id = ${teamId} and email_key = any(${addresses}::text[])
      )
    left join contacts as contact on contact.team_id = topic.team_id and contact.id = subscription.contact_id
    where topic.team_id = ${teamId} and topic.id = ${topicId}
  `.execute(db)
  if (rows.length === 0) throw invalid('topicId', 'is not a topic of this team')
  const optedOut = rows.flatMap(({ email }) => email ?? [])
  if (optedOut.length > 0) {
    throw unprocessable('recipient_opted_out', `Opted out of this topic: ${optedOut.join(', ')}.`)
  }
}

const Subscription = TextEnum('opt_in', 'opt_out')
export const Subscriptions = Type.Array(Strict({ id: Type.String({ format: 'uuid' }), subscription: Subscription }), {
  minItems: 1,
  maxItems: 100,
})
const Description = Type.Optional(Text({ maxLength: 200 }))
export const NewTopicBody = Strict({
  name: Name({ maxLength: 50 }),
  description: Description,
  default_subscription: Subscription,
})
/** Their client names the topic in the body too. */
export const TopicChangesBody = Strict({
  id: Type.Optional(Type.String({ format: 'uuid' })),
  name: Type.Optional(Name({ maxLength: 50 })),
  description: Description,
})

type TopicExtra = { description: string | null; default_subscription: 'opt_in' | 'opt_out' }
type OurTopic = { id: string; name: string; createdAt: Date }

function theirTopic({ id, name, createdAt }: OurTopic, extra: Partial<TopicExtra> = {}) {
  const { description = null, default_subscription = 'opt_out' } = extra
  return { id, name, ...(description !== null && { description }), default_subscription, created_at: iso(createdAt) }
}

export async function createTheirTopic(app: App, { teamId }: Caller, { body }: { body: Static<typeof NewTopicBody> }) {
  const { name, ...extra } = body
  const made = await createTopic(app, teamId, { name })
  await writeExtras(app, { teamId, id: made!.id, noun: 'topic', extra })
  return { object: 'topic', id: made!.id }
}

export async function listTheirTopics(app: App, { teamId }: Caller, { query }: { query: PageQuery }) {
  const ids = sql`select id from topics where team_id = ${teamId}`
  const { data, hasMore } = await readTheirPage(app, query, ids, (ours) => listTopics(app, teamId, ours))
  const extras = await findExtras<TopicExtra>(
    app.db,
    [teamId],
    data.map(({ id }) => id),
  )
  return listOf(
    data.map((topic) => theirTopic(topic, extras.get(topic.id)?.extra)),
    hasMore,
  )
}

export async function getTheirTopic(app: App, { teamId }: Caller, { id }: { id: string }) {
  const topic = await orNotFound('topic', findTopic(app.db, teamId, id))
  const extras = await findExtras<TopicExtra>(app.db, [teamId], [topic.id])
  return { object: 'topic', ...theirTopic(topic, extras.get(topic.id)?.extra) }
}

export async function updateTheirTopic(
  app: App,
  { teamId }: Caller,
  { id, body: { name, description } }: { id: string; body: Static<typeof TopicChangesBody> },
) {
  const topic = await orNotFound('topic', findTopic(app.db, teamId, id))
  if (name !== undefined) await updateTopic(app, teamId, id, { name })
  if (description !== undefined) await writeExtras(app, { teamId, id: topic.id, noun: 'topic', extra: { description } })
  return { object: 'topic', id: topic.id }
}

export async function deleteTheirTopic(app: App, { teamId }: Caller, { id }: { id: string }) {
  const deleted = await deleteTopic(app, teamId, id)
  await deleteExtras(app, teamId, id)
  return { object: 'topic', ...deleted }
}

/** Opts a contact in to topics, or out of them. Throws `invalid` for an unknown one; then nothing changes. */
export async function setSubscriptions(
  app: App,
  teamId: string,
  contactId: string,
  topics: Static<typeof Subscriptions>,
): Promise<void> {
  for (const [at, { id }] of topics.entries()) {
    if (!(await findTopic(app.db, teamId, id))) throw invalid(`topics[${at}].id`, 'is not a topic of this team')
  }
  for (const { id, subscription } of topics) {
    if (subscription === 'opt_in') await subscribeContacts(app, teamId, id, [contactId])
    else await optOut(app, teamId, id, contactId, { evenIfNew: true })
  }
}

export async function updateTopicsOfContact(
  app: App,
  { teamId }: Caller,
  { id: contact, body: topics }: { id: string; body: Static<typeof Subscriptions> },
) {
  const { id } = await findTheirContact(app.db, teamId, contact)
  await setSubscriptions(app, teamId, id, topics)
  return { id }
}

type TopicOfContact = { id: string; name: string; description: string | null; subscription: 'opt_in' | 'opt_out' }

/** All topics of the team, with what holds for the contact: without a record, the default of the topic. */
export async function listTopicsOfContact(
  app: App,
  { teamId }: Caller,
  { id: contact, query }: { id: string; query: PageQuery },
) {
  const found = await findTheirContact(app.db, teamId, contact)
  const rows = sql<TopicOfContact>`
    select topic.id, topic.name, extra->>'description' as description,
      coalesce(subscription.status, extra->>'default_subscription', 'opt_out') as subscription
    from topics as topic
    left join topic_subscriptions as subscription on subscription.team_id = topic.team_id
      and subscription.topic_id = topic.id and subscription.contact_id = ${found.id}
    left join resend_extras as extras on extras.team_id = topic.team_id and extras.id = topic.id
    where topic.team_id = ${teamId}
  `
  const { data, hasMore } = await readRows(app, query, rows)
  return listOf(data, hasMore)
}
