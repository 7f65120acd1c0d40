import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { deleteJobs } from '../../platform/jobs/waiting-jobs.ts'
import { deliverEmailJob } from '../jobs.ts'
import { noteStatusMoves } from '../list/search-count.ts'
import { returnQuota } from '../quota/usage.ts'

/** Cancels the emails that are not being handed over yet. Returns their ids. */
export async function cancelBroadcastEmails(tx: Tx, teamId: string, emailIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update emails set status = 'cancelled'
    where team_id = ${teamId} and id = any(${emailIds}::uuid[])
      and status in ('scheduled', 'delayed') and sent_at is null and not dispatching
    returning id
  `.execute(tx.db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  await noteStatusMoves(
    tx,
    ids.map((emailId) => ({ teamId, emailId })),
  )
  await deleteJobs(tx, [deliverEmailJob], ids)
  await returnQuota(tx, teamId, ids.length)
  return ids
}
