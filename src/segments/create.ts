import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { findSegment } from './queries.ts'
import type { NewSegment } from './schema.ts'

export function createSegment(app: App, teamId: string, { name }: NewSegment) {
  return app.transaction(async (tx) => {
    const id = tx.newId()
    await tx.db.insertInto('segments').values({ team_id: teamId, id, name, created_at: tx.now }).execute()
    await recordChange(tx, { teamId, action: 'segment.created', target: { type: 'segment', id, name } })
    return findSegment(tx.db, teamId, id)
  })
}
