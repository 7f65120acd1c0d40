import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findTopic } from './queries.ts'
import type { TopicChanges } from './schema.ts'

export function updateTopic(app: App, teamId: string, id: string, { name }: TopicChanges) {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .updateTable('topics')
      .set({ name })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) throw notFound('topic')
    return findTopic(tx.db, teamId, id)
  })
}
