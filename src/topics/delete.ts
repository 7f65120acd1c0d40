import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { conflict, notFound } from '../platform/errors.ts'

/** With all its subscriptions. Throws `conflict` while a broadcast that left its draft still has to read them. */
export function deleteTopic(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    // First: whoever sends a broadcast locks its topic, so none begins between the look and the deletion.
    const { rows } = await sql`
      select from topics where team_id = ${teamId} and id = ${id} for update
    `.execute(tx.db)
    if (rows.length === 0) throw notFound('topic')
    await refuseInUse(tx, teamId, id)
    await tx.db.deleteFrom('topics').where('team_id', '=', teamId).where('id', '=', id).execute()
    return { id, deleted: true }
  })
}

async function refuseInUse(tx: Tx, teamId: string, id: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from broadcasts
    where team_id = ${teamId} and topic_id = ${id} and status in ('scheduled', 'queued', 'sending') limit 1
  `.execute(tx.db)
  if (rows[0]) {
    throw conflict(
      `The broadcast "${rows[0].name}" is sent about this topic. Cancel it, or delete the topic afterwards.`,
    )
  }
}
