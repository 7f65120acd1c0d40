import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notFound, orNotFound } from '../platform/errors.ts'
import { lockTopic } from './group.ts'
import { optedInByDefault } from './opted-in-by-default.ts'

/**
 * Opts a contact out and keeps a record of it. Repeating it changes nothing. A contact that has no record gets one if
 * it is opted in without, or with `evenIfNew`.
 */
export function optOut(app: App, teamId: string, topicId: string, contactId: string, { evenIfNew = false } = {}) {
  return app.transaction(async (tx) => {
    const topic = await orNotFound('topic', lockTopic(tx, [teamId], topicId))
    const isOptedIn = await isOptedInWithout(tx, teamId, topicId, contactId)
    if (isOptedIn || evenIfNew) await insertOptOut(tx, teamId, topicId, contactId)
    const status = isOptedIn ? 'opt_in' : await statusOf(tx, teamId, topicId, contactId)
    const result = await tx.db
      .updateTable('topic_subscriptions')
      .set((row) => ({
        status: 'opt_out',
        updated_at: row.case().when('status', '=', 'opt_in').then(tx.now).else(row.ref('updated_at')).end(),
      }))
      .where('team_id', '=', teamId)
      .where('topic_id', '=', topicId)
      .where('contact_id', '=', contactId)
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) throw notFound('contact in this topic')
    const target = { type: 'topic', id: topicId, name: topic.name }
    const changes = { [contactId]: { from: 'opt_in', to: 'opt_out' } }
    if (status === 'opt_in') await recordChange(tx, { teamId, action: 'topic.contact_opted_out', target, changes })
    return { id: contactId, deleted: true as const }
  })
}

/** Tells whether a contact of the team is opted in although it has no record. */
async function isOptedInWithout(tx: Tx, teamId: string, topicId: string, contactId: string): Promise<boolean> {
  const { rows } = await sql<{ isOptedIn: boolean }>`
    select exists (select from contacts where team_id = ${teamId} and id = ${contactId}) and not exists (
      select from topic_subscriptions where team_id = ${teamId} and topic_id = ${topicId} and contact_id = ${contactId}
    ) and ${optedInByDefault([teamId], topicId)} as "isOptedIn"
  `.execute(tx.db)
  return rows[0]!.isOptedIn
}

/** Changes nothing if the contact has a record, or is deleted meanwhile. Locks it, because the record refers to it. */
async function insertOptOut(tx: Tx, teamId: string, topicId: string, contactId: string): Promise<void> {
  await sql`
    insert into topic_subscriptions (team_id, topic_id, contact_id, status, created_at, updated_at)
    select team_id, ${topicId}, id, 'opt_out', ${tx.now}, ${tx.now} from contacts
    where team_id = ${teamId} and id = ${contactId} for key share
    on conflict do nothing
  `.execute(tx.db)
}

async function statusOf(tx: Tx, teamId: string, topicId: string, contactId: string): Promise<string | undefined> {
  const subscription = await tx.db
    .selectFrom('topic_subscriptions')
    .select('status')
    .where('team_id', '=', teamId)
    .where('topic_id', '=', topicId)
    .where('contact_id', '=', contactId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return subscription?.status
}
