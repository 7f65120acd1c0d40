import type { App, Tx } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'
import { lockTopic } from './group.ts'

/**
 * Opts a contact out and keeps a record of it. Repeating it changes nothing. With `evenIfNew` a contact that has no
 * record gets one.
 */
export function optOut(app: App, teamId: string, topicId: string, contactId: string, { evenIfNew = false } = {}) {
  return app.transaction(async (tx) => {
    const topic = await lockTopic(tx, [teamId], topicId)
    if (!topic) throw notFound('topic')
    if (evenIfNew) await insertOptOut(tx, teamId, topicId, contactId)
    const status = await statusOf(tx, teamId, topicId, contactId)
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

/** Expects that the contact exists. Changes nothing if it has a record. */
async function insertOptOut(tx: Tx, teamId: string, topicId: string, contactId: string): Promise<void> {
  const row = { team_id: teamId, topic_id: topicId, contact_id: contactId, created_at: tx.now, updated_at: tx.now }
  await tx.db
    .insertInto('topic_subscriptions')
    .values({ ...row, status: 'opt_out' })
    .onConflict((existing) => existing.doNothing())
    .execute()
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
