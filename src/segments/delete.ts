import { sql } from 'kysely'
import { findSendingBroadcast } from '../audience/find-sending-broadcast.ts'
import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { conflict, notFound } from '../platform/errors.ts'

/** Deletes a segment; its contacts stay. Throws `conflict` while a broadcast that is scheduled, queued or sending reads it. */
export function deleteSegment(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    // Sending a broadcast locks its segment, so none begins between this check and the deletion.
    const { rows } = await sql<{ name: string }>`
      select name from segments where team_id = ${teamId} and id = ${id} for update
    `.execute(tx.db)
    if (!rows[0]) throw notFound('segment')
    const broadcast = await findSendingBroadcast(tx, teamId, 'segment_id', id)
    if (broadcast !== undefined) {
      throw conflict(`The broadcast "${broadcast}" goes to this segment. Cancel it, or delete the segment afterwards.`)
    }
    await tx.db.deleteFrom('segments').where('team_id', '=', teamId).where('id', '=', id).execute()
    const target = { type: 'segment', id, name: rows[0].name }
    await recordChange(tx, { teamId, action: 'segment.deleted', target })
    return { id, deleted: true }
  })
}
