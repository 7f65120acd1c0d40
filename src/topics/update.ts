import type { App } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'
import { findTopic } from './queries.ts'
import type { TopicChanges } from './schema.ts'

export function updateTopic(app: App, teamId: string, id: string, { name }: TopicChanges) {
  return app.transaction(async (tx) => {
    const topic = tx.db.selectFrom('topics').select('name').where('team_id', '=', teamId).where('id', '=', id)
    const before = await topic.forNoKeyUpdate().executeTakeFirst()
    if (!before) throw notFound('topic')
    await tx.db.updateTable('topics').set({ name }).where('team_id', '=', teamId).where('id', '=', id).execute()
    const target = { type: 'topic', id, name }
    await recordUpdate(tx, { teamId, action: 'topic.updated', target }, before, { name })
    return findTopic(tx.db, teamId, id)
  })
}
