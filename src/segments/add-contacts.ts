import { sql } from 'kysely'
import { lockContacts, lockNamedContacts } from '../audience/lock-contacts.ts'
import type { App, Tx } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { publish } from '../platform/events.ts'
import { lockSegment } from './queries.ts'

/** `cause` is of the events that follow. */
export type NewMembers = { teamId: string; segmentId: string; contactIds: string[]; cause?: string }

/** As the API asks for it: throws `invalid` for unknown ids, and then none is added. */
export function addNamedContacts(app: App, { teamId, segmentId, contactIds }: NewMembers) {
  return app.transaction(async (tx) => {
    if (!(await lockSegment(tx, teamId, segmentId))) throw notFound('segment')
    const ids = await lockNamedContacts(tx, teamId, contactIds)
    return insertMembers(tx, { teamId, segmentId, contactIds: ids })
  })
}

/** For contacts that the caller knows: those deleted meanwhile are passed over. Throws `notFound` without the segment. */
export async function addContactsToSegment(tx: Tx, { teamId, segmentId, contactIds, ...rest }: NewMembers) {
  if (!(await lockSegment(tx, teamId, segmentId))) throw notFound('segment')
  return insertMembers(tx, { teamId, segmentId, contactIds: await lockContacts(tx, teamId, contactIds), ...rest })
}

/** The contacts are held by now: counting those that have unsubscribed depends on it. */
async function insertMembers(tx: Tx, { teamId, segmentId, contactIds, cause }: NewMembers) {
  // In one order for all, so that two requests with the same contacts wait and do not deadlock.
  const { rows } = await sql<{ contact_id: string }>`
    insert into segment_contacts (team_id, segment_id, contact_id, added_at)
    select ${teamId}, ${segmentId}, contact_id, ${tx.now}
    from unnest(${contactIds}::uuid[]) as contact_id order by contact_id
    on conflict do nothing returning contact_id
  `.execute(tx.db)
  const type = 'contact.added_to_segment'
  await publish(
    tx,
    rows.map((row) => ({ type, teamId, data: { contactId: row.contact_id, segmentId }, ...(cause && { cause }) })),
  )
  return { added: rows.length, alreadyInSegment: contactIds.length - rows.length }
}
