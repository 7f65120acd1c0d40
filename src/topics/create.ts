import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { findTopic } from './queries.ts'
import type { NewTopic } from './schema.ts'

export function createTopic(app: App, teamId: string, { name }: NewTopic) {
  return app.transaction(async (tx) => {
    const id = tx.newId()
    await tx.db.insertInto('topics').values({ team_id: teamId, id, name, created_at: tx.now }).execute()
    await recordChange(tx, { teamId, action: 'topic.created', target: { type: 'topic', id, name } })
    return findTopic(tx.db, teamId, id)
  })
}
