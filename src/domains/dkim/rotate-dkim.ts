import type { App, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { nextCheckAt, planChecks } from '../check/check-schedule.ts'
import { presentDomain } from '../present.ts'
import { type DomainRow, domainColumns, findDomain, lockDomain } from '../queries.ts'
import { dkimName, otherSelector } from '../records.ts'
import type { DkimKeys } from './dkim-keys.ts'
import { makeKeys } from './make-keys.ts'
import { sealSigningKey } from './signing-key.ts'

/**
 * Gives a verified domain a new DKIM key. Mail is signed with the present key until the new record is found. Throws
 * `conflict` for a domain that is not verified, and during another replacement.
 */
export async function rotateDkim(app: App, teamId: string, id: string) {
  // The transaction checks this again under the lock. This check avoids making keys that are not used.
  refuseRotation(await findDomain(app.db, teamId, id), app.clock.now())
  const keys = await makeKeys(app, teamId)
  const row = await app.transaction(async (tx) => {
    const before = refuseRotation(await lockDomain(tx, teamId, id), tx.now)
    const after = await insertNextKey(tx, before, {
      publicKey: keys.publicKey,
      privateKey: sealSigningKey(app.keyring, id, keys.privateKey),
    })
    await planChecks(tx, after, nextCheckAt(after, 0, tx.now))
    const target = { type: 'domain', id, name: after.name }
    await recordChange(tx, { teamId, action: 'domain.key_rotated', target })
    return after
  })
  return presentDomain(app, row)
}

function refuseRotation(row: DomainRow | undefined, now: Date): DomainRow {
  if (!row) throw notFound('domain')
  if (row.status !== 'verified') {
    throw conflict(`${row.name} is not verified. Publish its records and verify it before replacing its DKIM key.`)
  }
  const other = dkimName(otherSelector(row.dkim_selector), row.name)
  if (row.dkim_next_public_key !== null) {
    throw conflict(`The DKIM key of ${row.name} is being replaced already. Publish the record ${other}, then verify.`)
  }
  if (row.dkim_old_until !== null && row.dkim_old_until > now) {
    const until = row.dkim_old_until.toISOString()
    throw conflict(
      `The DKIM key of ${row.name} was replaced recently. Its former record ${other} must stay until ${until}.`,
    )
  }
  return row
}

/** Stores the next key, voids checks under way, and starts the 72 hours for its record. */
function insertNextKey(tx: Tx, { team_id, id, record_statuses }: DomainRow, next: DkimKeys): Promise<DomainRow> {
  const { nextDkim: _, ...statuses } = record_statuses
  return tx.db
    .updateTable('domains')
    .set({
      dkim_next_public_key: next.publicKey,
      dkim_next_private_key: next.privateKey,
      dkim_old_public_key: null,
      dkim_old_until: null,
      first_checked_at: tx.now,
      updated_at: tx.now,
      record_statuses: JSON.stringify(statuses),
    })
    .set((eb) => ({ check_recorded: eb.ref('checks_begun') }))
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .returning(domainColumns)
    .executeTakeFirstOrThrow()
}
