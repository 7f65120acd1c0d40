import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { nilId } from '../../platform/ids.ts'
import { isStatementCancelled } from '../../platform/sql/gone.ts'
import { type BroadcastRow, teamsReachedByBroadcast, updateBroadcastRow } from '../queries.ts'

/** Our own limit: a statement over this many rows usually stays far below the time limit of statements. */
export const planMaxUsual = 20_000
/** A page of this size that takes too long is not halved: something other than its size delays it. */
const planMaxLeast = 100

/** A page took longer than a statement may, and a smaller one may not. */
export class PageTooLarge extends Error {
  /** The recipients of the next page to try. */
  smaller: number
  constructor(pageMax: number, cause: unknown) {
    super(`Planning ${pageMax} recipients takes longer than a statement may.`, { cause })
    this.smaller = Math.ceil(pageMax / 2)
  }
}

/**
 * Plans the next page of the segment's contacts as recipients. Resumes after the last one that is planned. Throws
 * `PageTooLarge` if the page takes too long.
 */
export async function planPage(tx: Tx, broadcast: BroadcastRow, pageMax: number): Promise<void> {
  const { team_id: teamId, id, segment_id: segmentId } = broadcast
  const planning = sql`
    insert into broadcast_recipients (team_id, broadcast_id, contact_id)
    select ${teamId}::uuid, ${id}::uuid, contact_id from segment_contacts
    where team_id = (select team_id from segments where team_id = any(${teamsReachedByBroadcast(broadcast)}::uuid[]) and id = ${segmentId})
      and segment_id = ${segmentId} and contact_id > coalesce(
      (select contact_id from broadcast_recipients where team_id = ${teamId} and broadcast_id = ${id}
        order by contact_id desc limit 1), ${nilId}::uuid)
    order by contact_id limit ${pageMax}
  `.execute(tx.db)
  const planned = await planning.catch((error) => {
    const isTooLarge = isStatementCancelled(error) && pageMax > planMaxLeast
    throw isTooLarge ? new PageTooLarge(pageMax, error) : error
  })
  if (planned.numAffectedRows === BigInt(pageMax)) return
  await updateBroadcastRow(tx, teamId, id, { planned_at: tx.now })
}
