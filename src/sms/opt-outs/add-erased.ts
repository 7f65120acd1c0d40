import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { erasedForm } from '../../platform/privacy/person.ts'
import { numberForms } from '../../platform/text/phone-number.ts'

/** Blocks a normalized number and keeps only its keyed hash, in place of the entry that the number may have. */
export async function addErasedOptOut(tx: Tx, teamId: string, number: string): Promise<void> {
  const form = erasedForm(tx.keyring, number)
  const forms = numberForms(number)
  await sql`delete from sms_opt_outs where team_id = ${teamId} and phone_number = any(${forms}::text[])`.execute(tx.db)
  await sql`delete from sms_keywords where team_id = ${teamId} and phone_number = any(${forms}::text[])`.execute(tx.db)
  await sql`
    insert into sms_opt_outs (team_id, id, phone_number, reason, created_at)
    values (${teamId}, ${tx.newId()}, ${form}, 'manual', ${tx.now})
    on conflict (team_id, phone_number) do nothing
  `.execute(tx.db)
}
