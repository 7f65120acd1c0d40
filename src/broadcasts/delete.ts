import type { App, Caller } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import { getBroadcast } from './get.ts'

/** Deletes a draft. Throws `conflict` in other states, because what was sent stays readable. */
export async function deleteBroadcast(app: App, caller: Caller, id: string): Promise<{ id: string; deleted: true }> {
  const { status } = await getBroadcast(app, caller, id)
  const deleted = await app.transaction((tx) =>
    tx.db
      .deleteFrom('broadcasts')
      .where('team_id', '=', caller.teamId)
      .where('id', '=', id)
      .where('status', '=', 'draft')
      .executeTakeFirst(),
  )
  if (deleted.numDeletedRows === 0n) throw conflict(`Only a draft can be deleted; this broadcast is ${status}.`)
  return { id, deleted: true }
}
