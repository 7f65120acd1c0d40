import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { erasedForm } from '../platform/privacy/person.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'

/** Blocks an address and keeps only its keyed hash, in place of the entry that the address may have. */
export async function suppressErased(tx: Tx, teamId: string, address: string): Promise<void> {
  const normalized = normalizeAddress(address)
  const form = erasedForm(tx.keyring, normalized)
  await sql`delete from suppressions where team_id = ${teamId} and email_normalized = ${normalized}`.execute(tx.db)
  await sql`
    insert into suppressions (team_id, id, email, email_normalized, reason, created_at)
    values (${teamId}, ${tx.newId()}, ${form}, ${form}, 'manual', ${tx.now})
    on conflict (team_id, email_normalized) do nothing
  `.execute(tx.db)
}
