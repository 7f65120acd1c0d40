import type { Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { findStats } from '../results/stats.ts'
import type { BroadcastStats } from '../schema.ts'

/** `sent`: to its last recipient. `cancelled` and `failed`: before that. */
type Ending = 'sent' | 'cancelled' | 'failed'

declare module '../../events.ts' {
  interface Events {
    'broadcast.completed': { broadcastId: string; stats: BroadcastStats; ending: Ending }
  }
}

/**
 * Moves a broadcast from `sending` to `sent` and publishes its end. Does nothing if it is not sending. A failed
 * broadcast that an operator resumes ends a second time.
 */
export async function finishBroadcast(tx: Tx, teamId: string, id: string, ending: Ending): Promise<void> {
  const finished = await tx.db
    .updateTable('broadcasts')
    .set({ status: 'sent', sent_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .executeTakeFirst()
  if (finished.numUpdatedRows === 0n) return
  const stats = await findStats(tx.db, teamId, id)
  await publish(tx, [{ type: 'broadcast.completed', teamId, data: { broadcastId: id, stats, ending } }])
}
