import type { Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'

/**
 * Changes an email that is still scheduled. Throws `conflict` if its dispatch has begun; the first change of the row
 * wins.
 */
export async function changeWaiting(
  tx: Tx,
  teamId: string,
  id: string,
  change: { status: 'cancelled' } | { scheduled_at: Date },
) {
  const changed = await tx.db
    .updateTable('emails')
    .set(change)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .where('dispatching', '=', false)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n)
    throw conflict('Only a scheduled email can be cancelled or rescheduled; this one is not.')
}
