import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { spellingsOf } from '../../phone/phone-number.ts'
import { erasedForm } from '../../platform/privacy/person.ts'
import { numberForms } from '../../platform/text/phone-number.ts'

/**
 * Blocks a number in all its spellings and keeps only its keyed hash, in place of the entry that it may have. WhatsApp
 * refuses numbers by the same entries (`phone/find-erased.ts`).
 */
export async function addErasedOptOut(tx: Tx, teamId: string, number: string): Promise<void> {
  const spellings = spellingsOf(number)
  const form = erasedForm(tx.keyring, spellings[0]!)
  const forms = spellings.flatMap(numberForms)
  await sql`delete from sms_opt_outs where team_id = ${teamId} and phone_number = any(${forms}::text[])`.execute(tx.db)
  await sql`delete from sms_keywords where team_id = ${teamId} and phone_number = any(${forms}::text[])`.execute(tx.db)
  await sql`
    insert into sms_opt_outs (team_id, id, phone_number, reason, created_at)
    values (${teamId}, ${tx.newId()}, ${form}, 'manual', ${tx.now})
    on conflict (team_id, phone_number) do nothing
  `.execute(tx.db)
}
