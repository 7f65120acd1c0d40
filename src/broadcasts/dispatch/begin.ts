import type { Tx } from '../../context.ts'
import { insertBroadcastContent } from '../../emails/broadcast-content/accept.ts'
import { addFooters } from '../content/render.ts'
import type { BroadcastRow } from '../queries.ts'

/** Marks the broadcast as sending; its content can no longer change. The caller holds the lock of its row. */
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
