import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { findSegment } from './queries.ts'
import type { SegmentChanges } from './schema.ts'

export function updateSegment(app: App, teamId: string, id: string, { name }: SegmentChanges) {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .updateTable('segments')
      .set({ name })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) throw notFound('segment')
    return findSegment(tx.db, teamId, id)
  })
}
