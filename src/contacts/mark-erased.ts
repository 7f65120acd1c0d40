import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { erasedForm } from '../platform/privacy/person.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'

/**
 * Notes that the contact with this address is an erased person, until it is deleted. A locked one, such as one that is
 * being imported, is not waited for, since the caller holds locks of the team.
 */
export async function markContactErased(tx: Tx, teamId: string, address: string): Promise<void> {
  const emailKey = normalizeAddress(address)
  await sql`
    update contacts set erased_form = ${erasedForm(tx.keyring, emailKey)} where team_id = ${teamId} and id = (
      select id from contacts where team_id = ${teamId} and email_key = ${emailKey}
      for no key update skip locked
    )
  `.execute(tx.db)
}
