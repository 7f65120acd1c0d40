import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { insertBroadcastContent } from '../../emails/broadcast-content/accept.ts'
import { addFooters } from '../content/add-footers.ts'
import type { BroadcastRow } from '../queries.ts'

/** From here on it is being sent, and its letter is what it is. The caller holds the row. */
export async function beginSending(tx: Tx, broadcast: BroadcastRow): Promise<void> {
  const { team_id: teamId, id } = broadcast
  await insertBroadcastContent(tx, { teamId, id, ...addFooters(broadcast) })
  await tx.db
    .updateTable('broadcasts')
    .set({ status: 'sending' })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
}

/** A statement over so many rows stays far below what one may take. */
const pageMax = 20_000

/** Writes down the next page of those who are in the segment. Resumes after the last one written. */
export async function planPage(tx: Tx, { team_id: teamId, id, segment_id: segmentId }: BroadcastRow): Promise<void> {
  const planned = await sql`
    insert into broadcast_recipients (team_id, broadcast_id, contact_id)
    select team_id, ${id}, contact_id from segment_contacts
    where team_id = ${teamId} and segment_id = ${segmentId} and contact_id > coalesce(
      (select contact_id from broadcast_recipients where team_id = ${teamId} and broadcast_id = ${id}
        order by contact_id desc limit 1), '00000000-0000-0000-0000-000000000000')
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
