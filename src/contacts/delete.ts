import { lockFreeContact } from '../audience/lock-free.ts'
import type { App, Tx } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { runBulkWrite } from '../platform/http/overload/heavy-reads.ts'

/**
 * Deletes a contact and removes it from its segments and topics. Accepted emails and the suppression of its address
 * stay. A contact that others have locked, such as an import, is waited for in turn with the team's imports.
 */
export async function deleteContact(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  const remove = (tx: Tx) => removeContact(tx, teamId, id)
  const state = await app.transaction(async (tx) => {
    const state = await lockFreeContact(tx, { teamId, id })
    if (state === 'free') await remove(tx)
    return state
  })
  const isDeleted =
    state === 'locked' ? await runBulkWrite(app, teamId, () => app.transaction(remove)) : state === 'free'
  if (!isDeleted) throw notFound('contact')
  return { id, deleted: true }
}

/** False if there is none. */
async function removeContact(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('contacts')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
