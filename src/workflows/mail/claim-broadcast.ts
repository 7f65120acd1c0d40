import { sql } from 'kysely'
import type { Turn } from '../nodes/node.ts'

/** Records the execution that is about to send a draft, since the broadcast's end belongs to the same chain. */
export async function claimBroadcast({ app, teamId, executionId }: Turn, broadcastId: string): Promise<void> {
  await app.transaction((tx) =>
    sql`
      insert into workflow_broadcasts (team_id, broadcast_id, execution_id)
      select team_id, id, ${executionId} from broadcasts
      where team_id = ${teamId} and id = ${broadcastId} and status = 'draft'
      on conflict (team_id, broadcast_id) do update set execution_id = excluded.execution_id
    `.execute(tx.db),
  )
}

/** True if this execution sent the broadcast. */
export async function isSentBy({ app, teamId, executionId }: Turn, broadcastId: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('workflow_broadcasts')
    .select('execution_id')
    .where('team_id', '=', teamId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirst()
  return row?.execution_id === executionId
}
