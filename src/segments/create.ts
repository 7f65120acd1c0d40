import type { App } from '../context.ts'
import { findSegment } from './queries.ts'
import type { NewSegment } from './schema.ts'

export function createSegment(app: App, teamId: string, { name }: NewSegment) {
  return app.transaction(async (tx) => {
    const id = tx.newId()
    await tx.db.insertInto('segments').values({ team_id: teamId, id, name, created_at: tx.now }).execute()
    return findSegment(tx.db, teamId, id)
  })
}
