import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../context.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import type { GivenEmail } from '../emails/messages/accept/parse.ts'
import { invalid, orNotFound, unprocessable } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Name, Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { changeTopic, insertTopic, lockTopic, removeTopic } from '../topics/group.ts'
import { deleteExtras, writeExtras } from './extras.ts'
import { readRow, readRows } from './pages.ts'
import { lists, rowsOf } from './route-like.ts'

export const Subscription = TextEnum('opt_in', 'opt_out')
const description = Type.Optional(Text({ maxLength: 200 }))
const NewTopic = Strict({ name: Name({ maxLength: 50 }), description, default_subscription: Subscription })
const TopicChanges = Strict({
  name: Type.Optional(Name({ maxLength: 50 })),
  description,
})

type Row = { id: string; name: string; description: string | null; default_subscription: string; created_at: Date }

/** Selects topics with what Resend's have beyond ours. */
export function topicsOf(teamId: string, isWanted = sql`true`) {
  return sql<Row>`
    select topic.id, topic.name, extra->>'description' as description,
      coalesce(extra->>'default_subscription', 'opt_out') as default_subscription, topic.created_at
    from topics as topic
    left join resend_extras as extras on extras.team_id = topic.team_id and extras.id = topic.id
    where topic.team_id = ${teamId} and ${isWanted}
  `
}

function readTopic(db: Db, teamId: string, id: string): Promise<Row> {
  return readRow(db, 'topic', topicsOf(teamId, sql`topic.id = ${id}`))
}

function theirTopic({ id, name, description, ...others }: Row) {
  return { id, name, ...(description !== null && { description }), ...others }
}

const { shows, does } = rowsOf('topic')

export const theirTopicRoutes: Route[] = [
  shows('createTopic', 'POST /topics', NewTopic, ({ app, teamId, body: { name, ...extra } }) =>
    app.transaction(async (tx) => {
      const { id } = (await insertTopic(tx, teamId, { name }))!
      await writeExtras(tx, { teamId, id, noun: 'topic', extra })
      return { id }
    }),
  ),
  lists('listTopics', '/topics', theirTopic, ({ app, teamId, query }) =>
    readRows(app, teamId, query, topicsOf(teamId)),
  ),
  shows('getTopic', 'GET /topics/:id', async ({ app, teamId, id }) => theirTopic(await readTopic(app.db, teamId, id))),
  does('updateTopic', 'PATCH /topics/:id', TopicChanges, ({ app, teamId, id, body: { name, description } }) =>
    app.transaction(async (tx) => {
      await orNotFound('topic', lockTopic(tx, [teamId], id))
      if (name !== undefined) await changeTopic(tx, teamId, id, { name })
      if (description !== undefined) await writeExtras(tx, { teamId, id, noun: 'topic', extra: { description } })
    }),
  ),
  shows('deleteTopic', 'DELETE /topics/:id', ({ app, teamId, id }) =>
    app.transaction(async (tx) => {
      const deleted = await removeTopic(tx, teamId, id)
      await deleteExtras(tx, teamId, id)
      return deleted
    }),
  ),
]

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
