import { sql } from 'kysely'
import { findSendingBroadcast } from '../audience/find-sending-broadcast.ts'
import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { conflict, notFound } from '../platform/errors.ts'

/** Deletes a topic and its subscriptions. Throws `conflict` while a broadcast that is scheduled, queued or sending reads them. */
export function deleteTopic(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    // Sending a broadcast locks its topic, so none begins between this check and the deletion.
    const { rows } = await sql<{ name: string }>`
      select name from topics where team_id = ${teamId} and id = ${id} for update
    `.execute(tx.db)
    if (!rows[0]) throw notFound('topic')
    const broadcast = await findSendingBroadcast(tx, teamId, 'topic_id', id)
    if (broadcast !== undefined) {
      throw conflict(
        `The broadcast "${broadcast}" is sent about this topic. Cancel it, or delete the topic afterwards.`,
      )
    }
    await tx.db.deleteFrom('topics').where('team_id', '=', teamId).where('id', '=', id).execute()
    const target = { type: 'topic', id, name: rows[0].name }
    await recordChange(tx, { teamId, action: 'topic.deleted', target })
    return { id, deleted: true }
  })
}
