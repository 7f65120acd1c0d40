import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { teamsNaming } from '../platform/mode/mode.ts'

/**
 * Finds the name of a broadcast that still reads this segment or topic. The caller holds the lock of the segment or
 * topic.
 */
export async function findSendingBroadcast(
  tx: Tx,
  teamId: string,
  column: 'segment_id' | 'topic_id',
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from broadcasts
    where team_id = any(${teamsNaming(teamId)}::uuid[]) and ${sql.ref(column)} = ${id} and status in ('scheduled', 'queued', 'sending') limit 1
  `.execute(tx.db)
  return rows[0]?.name
}
