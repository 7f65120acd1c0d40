import type { App, Tx } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'
import { runBulkWrite } from '../../platform/http/overload/heavy-reads.ts'
import { answerOnce } from '../../platform/idempotency/answer-once.ts'
import { insertRequestKeys, type RequestKey, requestKey, storeResponses } from '../../platform/idempotency/keys.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { addContactsToSegment } from '../../segments/add-contacts.ts'
import { lockSegment } from '../../segments/group.ts'
import { refuseStorage } from '../../teams/bounds/refuse-storage.ts'
import { announceContacts } from '../announce.ts'
import type { Import } from '../schema.ts'
import { insertNewContacts } from './insert-new.ts'
import { type RowError, readRows, type WantedContact } from './read-rows.ts'
import { updateKnownContacts } from './update-known.ts'

type ImportResult = { created: number; updated: number; skipped: number; errors: RowError[] }

/**
 * Creates and updates contacts in one unit of work, so that a call that is repeated because its answer was lost finds
 * either everything or nothing done. With the key it gets the answer that was lost. Throws `invalid` if the team does
 * not have the segment.
 */
export async function importContacts(
  app: App,
  teamId: string,
  body: Import,
  idempotencyKey: string | null = null,
): Promise<ImportResult> {
  const { wanted, errors } = readRows(body.contacts)
  const key = requestKey(teamId, 'POST /v1/contacts/import', idempotencyKey, body)
  const taken = await answerOnce(app, key, {
    // The key and the answer are stored in one commit.
    recover: async () => null,
    make: () =>
      runBulkWrite(app, teamId, () =>
        app.transaction((tx) => takeOnce(tx, key, () => take(tx, app.keyring, teamId, wanted, body.segmentId))),
      ),
  })
  // The errors of the rows themselves follow from the body, which a repeat has too. So only the others are stored.
  return { ...taken, skipped: taken.skipped + errors.length, errors: [...errors, ...taken.errors].sort(byIndex) }
}

/** Null if the key is known. */
async function takeOnce(
  tx: Tx,
  key: RequestKey | null,
  run: () => Promise<ImportResult>,
): Promise<ImportResult | null> {
  if (key && (await insertRequestKeys(tx, [{ ...key, resourceIds: [] }])).size === 0) return null
  const taken = await run()
  if (key) await storeResponses(tx, [{ key, response: { status: 200, body: taken } }])
  return taken
}

async function take(
  tx: Tx,
  keyring: Keyring,
  teamId: string,
  wanted: WantedContact[],
  segmentId: string | undefined,
): Promise<ImportResult> {
  await refuseStorage(tx.db, teamId)
  if (segmentId !== undefined && !(await lockSegment(tx, [teamId], segmentId))) {
    throw invalid('segmentId', 'is not a segment of this team')
  }
  // Inserts all new contacts before it locks existing ones, so that imports of the same contacts do not deadlock.
  const { createdIds, known } = await insertNewContacts(tx, keyring, teamId, wanted)
  const { updatedIds, unsubscribedIds, unchangedIds, tooLarge } = await updateKnownContacts(tx, teamId, known)
  await announceContacts(tx, teamId, {
    'contact.created': createdIds,
    'contact.updated': updatedIds,
    'contact.unsubscribed': unsubscribedIds,
  })
  const joined =
    segmentId === undefined ? 0 : await fill(tx, teamId, segmentId, [...createdIds, ...updatedIds], unchangedIds)
  const [created, updated] = [createdIds.length, updatedIds.length + joined]
  // An error is counted beside the earlier row of its contact, as the errors of `readRows` are.
  const beside = tooLarge.filter(({ earlier }) => earlier !== null).length
  return { created, updated, skipped: wanted.length + beside - created - updated, errors: tooLarge.map(errorOf) }
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
