import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { nilId } from '../../platform/ids.ts'
import { teamsReadBy } from '../../platform/mode.ts'
import type { BroadcastRow } from '../queries.ts'

/** Ours: a statement over this many rows stays far below the time limit of statements. */
const pageMax = 20_000

/** Plans the next page of the segment's contacts as recipients. Resumes after the last one that is planned. */
export async function planPage(tx: Tx, { team_id: teamId, id, segment_id: segmentId }: BroadcastRow): Promise<void> {
  const planned = await sql`
    insert into broadcast_recipients (team_id, broadcast_id, contact_id)
    select ${teamId}::uuid, ${id}::uuid, contact_id from segment_contacts
    where team_id = (select team_id from segments where team_id = any(${teamsReadBy(teamId)}::uuid[]) and id = ${segmentId})
      and segment_id = ${segmentId} and contact_id > coalesce(
      (select contact_id from broadcast_recipients where team_id = ${teamId} and broadcast_id = ${id}
        order by contact_id desc limit 1), ${nilId}::uuid)
    order by contact_id limit ${pageMax}
  `.execute(tx.db)
  if (planned.numAffectedRows === BigInt(pageMax)) return
  await tx.db
    .updateTable('broadcasts')
    .set({ planned_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
}
