import type { App } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'
import { findSegment } from './queries.ts'
import type { SegmentChanges } from './schema.ts'

export function updateSegment(app: App, teamId: string, id: string, { name }: SegmentChanges) {
  return app.transaction(async (tx) => {
    const segment = tx.db.selectFrom('segments').select('name').where('team_id', '=', teamId).where('id', '=', id)
    const before = await segment.forNoKeyUpdate().executeTakeFirst()
    if (!before) throw notFound('segment')
    await tx.db.updateTable('segments').set({ name }).where('team_id', '=', teamId).where('id', '=', id).execute()
    const target = { type: 'segment', id, name }
    await recordUpdate(tx, { teamId, action: 'segment.updated', target }, before, { name })
    return findSegment(tx.db, teamId, id)
  })
}
