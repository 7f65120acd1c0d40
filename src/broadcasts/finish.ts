import type { Tx } from '../context.ts'
import { publish } from '../platform/events.ts'
import type { BroadcastStats } from './schema.ts'
import { findStats } from './stats.ts'

declare module '../events.ts' {
  interface Events {
    'broadcast.completed': { broadcastId: string; stats: BroadcastStats }
  }
}

/** Moves a broadcast from `sending` to `sent` and publishes its end once. False if it was not sending. */
export async function finishBroadcast(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const finished = await tx.db
    .updateTable('broadcasts')
    .set({ status: 'sent', sent_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .executeTakeFirst()
  if (finished.numUpdatedRows === 0n) return false
  const stats = await findStats(tx.db, teamId, id)
  await publish(tx, [{ type: 'broadcast.completed', teamId, data: { broadcastId: id, stats } }])
  return true
}
