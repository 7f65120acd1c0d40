import type { App, Caller } from '../context.ts'
import { refuseForeignSender } from '../emails/messages/accept/refuse.ts'
import { conflict } from '../platform/errors.ts'
import { type KnownVersions, refuseOtherVersion } from '../platform/version.ts'
import { refuseStorage } from '../teams/bounds/refuse-storage.ts'
import { getBroadcast } from './get.ts'
import { bodiesAfter, checkFields, columnsOf } from './parse.ts'
import { findBroadcast, lockBroadcast, noteAudience, updateBroadcastRow } from './queries.ts'
import type { Broadcast, BroadcastChanges } from './schema.ts'

/** Updates a draft, if it still has one of the known versions. Throws `conflict` in other states. */
export async function updateBroadcast(
  app: App,
  caller: Caller,
  id: string,
  changes: BroadcastChanges,
  known: KnownVersions,
): Promise<Broadcast> {
  await getBroadcast(app, caller, id)
  checkFields(changes, app.clock.now())
  await refuseForeignSender(app.db, caller, changes.from === undefined ? [] : [changes.from])
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const before = await lockBroadcast(tx, teamId, id)
    if (before.status !== 'draft') {
      throw conflict(
        `Only a draft can be changed; this broadcast is ${before.status}. Cancel it first, or make another.`,
      )
    }
    if (known) refuseOtherVersion(known, await findBroadcast(tx.db, teamId, id))
    if (changes.html || changes.text) await refuseStorage(tx.db, teamId)
    const columns = await columnsOf(tx, caller, changes)
    await updateBroadcastRow(tx, teamId, id, { ...columns, ...bodiesAfter(before, changes) })
    await noteAudience(tx, teamId, id)
    return (await findBroadcast(tx.db, teamId, id))!
  })
}
