import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { lockTopic } from './queries.ts'

/** Opts a contact out and keeps a record of it. Repeating it changes nothing. */
export function optOut(app: App, teamId: string, topicId: string, contactId: string) {
  return app.transaction(async (tx) => {
    if (!(await lockTopic(tx, teamId, topicId))) throw notFound('topic')
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
    return { id: contactId, deleted: true as const }
  })
}
