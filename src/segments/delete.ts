import { sql } from 'kysely'
import { findSendingBroadcast } from '../audience/find-sending-broadcast.ts'
import type { App } from '../context.ts'
import { conflict, notFound } from '../platform/errors.ts'

/** Deletes a segment; its contacts stay. Throws `conflict` while a broadcast that is scheduled, queued or sending reads it. */
export function deleteSegment(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    // Sending a broadcast locks its segment, so none begins between this check and the deletion.
    const { rows } = await sql`
      select from segments where team_id = ${teamId} and id = ${id} for update
    `.execute(tx.db)
    if (rows.length === 0) throw notFound('segment')
    const name = await findSendingBroadcast(tx, teamId, 'segment_id', id)
    if (name !== undefined) {
      throw conflict(`The broadcast "${name}" goes to this segment. Cancel it, or delete the segment afterwards.`)
    }
    await tx.db.deleteFrom('segments').where('team_id', '=', teamId).where('id', '=', id).execute()
    return { id, deleted: true }
  })
}
