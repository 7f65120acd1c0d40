import type { App, Tx } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'
import { addContactsToSegment } from '../../segments/add-contacts.ts'
import { lockSegment } from '../../segments/queries.ts'
import { refuseStorage } from '../../teams/bounds/refuse-storage.ts'
import { announceContacts } from '../announce.ts'
import type { Import } from '../schema.ts'
import { insertNewContacts } from './insert-new.ts'
import { type RowError, readRows, type WantedContact } from './read-rows.ts'
import { updateKnownContacts } from './update-known.ts'

export type ImportResult = { created: number; updated: number; skipped: number; errors: RowError[] }

/**
 * Creates and updates contacts in one unit of work, so that a call that is repeated because its answer was lost finds either
 * everything or nothing done. Throws `invalid` if the team does not have the segment.
 */
export function importContacts(app: App, teamId: string, { contacts: rows, segmentId }: Import): Promise<ImportResult> {
  const { wanted, errors } = readRows(rows)
  return app.transaction(async (tx) => {
    await refuseStorage(tx.db, teamId)
    if (segmentId !== undefined && !(await lockSegment(tx, [teamId], segmentId))) {
      throw invalid('segmentId', 'is not a segment of this team')
    }
    // Inserts all new contacts before it locks existing ones, so that imports of the same contacts do not deadlock.
    const { createdIds, known } = await insertNewContacts(tx, app.keyring, teamId, wanted)
    const { updatedIds, unsubscribedIds, unchangedIds, tooLarge } = await updateKnownContacts(tx, teamId, known)
    await announceContacts(tx, teamId, {
      'contact.created': createdIds,
      'contact.updated': updatedIds,
      'contact.unsubscribed': unsubscribedIds,
    })
    const joined =
      segmentId === undefined ? 0 : await fill(tx, teamId, segmentId, [...createdIds, ...updatedIds], unchangedIds)
    const [created, updated] = [createdIds.length, updatedIds.length + joined]
    const skipped = wanted.length - created - updated + errors.length
    return { created, updated, skipped, errors: [...errors, ...tooLarge.map(errorOf)].sort(byIndex) }
  })
}

/** Returns how many unchanged contacts were not in the segment before. The import counts these as updated. */
async function fill(tx: Tx, teamId: string, segmentId: string, changedIds: string[], unchangedIds: string[]) {
  await addContactsToSegment(tx, { teamId, segmentId, contactIds: changedIds })
  const { added } = await addContactsToSegment(tx, { teamId, segmentId, contactIds: unchangedIds })
  return added
}

function errorOf({ index, email }: WantedContact): RowError {
  return {
    index,
    email,
    message: 'properties: must be at most 64 KiB as JSON, together with those that the contact has',
  }
}

function byIndex(left: RowError, right: RowError): number {
  return left.index - right.index
}
