import { lockContacts } from '../audience/lock-contacts.ts'
import { lockFreeContact } from '../audience/lock-free.ts'
import type { App, Tx } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { runBulkWrite } from '../platform/http/overload/heavy-reads.ts'
import { lockSegment } from './group.ts'

/**
 * Removes a contact from a segment; the contact itself stays. A contact that others have locked, such as an import, is
 * waited for in turn with the team's imports.
 */
export async function removeContact(app: App, teamId: string, segmentId: string, contactId: string) {
  const remove = (tx: Tx) => removeContactFromSegment(tx, { teamId, segmentId, contactId })
  const first = await app.transaction(async (tx) => {
    const state = await lockFreeContact(tx, { teamId, id: contactId })
    return state === 'locked' ? state : remove(tx)
  })
  const removed = first === 'locked' ? await runBulkWrite(app, teamId, () => app.transaction(remove)) : first
  if (!removed) throw notFound('contact in this segment')
  return { id: contactId, deleted: true as const }
}

type Member = { teamId: string; segmentId: string; contactId: string }

/** False if the contact was not in the segment. Throws `notFound` if there is no such segment. */
export async function removeContactFromSegment(tx: Tx, { teamId, segmentId, contactId }: Member): Promise<boolean> {
  if (!(await lockSegment(tx, [teamId], segmentId))) throw notFound('segment')
  // Locked, because the count of unsubscribed contacts depends on it.
  await lockContacts(tx, teamId, [contactId])
  const result = await tx.db
    .deleteFrom('segment_contacts')
    .where('team_id', '=', teamId)
    .where('segment_id', '=', segmentId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
