import { sql } from 'kysely'
import { lockContacts, lockNamedContacts } from '../audience/lock-contacts.ts'
import type { App, Tx } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { publish } from '../platform/events.ts'
import { runBulkWrite } from '../platform/http/overload/heavy-reads.ts'
import { lockSegment } from './group.ts'

/** `segmentId` may be in capitals. `cause` is the cause that the published events carry. */
type NewMembers = { teamId: string; segmentId: string; contactIds: string[]; cause?: string }

/** Adds the contacts that a request names. Throws `invalid` for unknown ids; then none is added. */
export function addNamedContacts(app: App, { teamId, segmentId, contactIds }: NewMembers) {
  const add = async (tx: Tx) => {
    if (!(await lockSegment(tx, [teamId], segmentId))) throw notFound('segment')
    const ids = await lockNamedContacts(tx, teamId, contactIds)
    return insertMembers(tx, { teamId, segmentId, contactIds: ids })
  }
  return runBulkWrite(app, teamId, () => app.transaction(add))
}

/**
 * Adds contacts that the caller has found, skipping those deleted meanwhile. Throws `notFound` if there is no such
 * segment.
 */
export async function addContactsToSegment(tx: Tx, { teamId, segmentId, contactIds, ...rest }: NewMembers) {
  if (!(await lockSegment(tx, [teamId], segmentId))) throw notFound('segment')
  return insertMembers(tx, { teamId, segmentId, contactIds: await lockContacts(tx, teamId, contactIds), ...rest })
}

/** Expects the contacts to be locked, because the count of unsubscribed contacts depends on it. */
async function insertMembers(tx: Tx, { teamId, segmentId, contactIds, cause }: NewMembers) {
  // Inserts in the order of ids, so that two requests with the same contacts wait and do not deadlock.
  const { rows } = await sql<{ contact_id: string }>`
    insert into segment_contacts (team_id, segment_id, contact_id, added_at)
    select ${teamId}, ${segmentId}, contact_id, ${tx.now}
    from unnest(${contactIds}::uuid[]) as contact_id order by contact_id
    on conflict do nothing returning contact_id
  `.execute(tx.db)
  const type = 'contact.added_to_segment'
  const segment = segmentId.toLowerCase()
  await publish(
    tx,
    rows.map((row) => ({
      ...{ type, teamId, data: { contactId: row.contact_id, segmentId: segment } },
      ...(cause && { cause }),
    })),
  )
  return { added: rows.length, alreadyInSegment: contactIds.length - rows.length }
}
