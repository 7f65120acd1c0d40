import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { erasedForm } from '../platform/privacy/person.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import { numberForms } from '../platform/text/phone-number.ts'
import { readNumber } from './phone-number.ts'

/**
 * Returns the numbers of erased persons among these, as a set of `${teamId} ${number}`. An erasure leaves one opt-out
 * from SMS for each number, with its keyed hash, which holds for both channels.
 */
export async function findErasedNumbers(
  { db, keyring }: Pick<Tx, 'db' | 'keyring'>,
  pairs: { teamId: string; number: string }[],
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const wanted = pairs.flatMap((pair) => {
    const forms = numberForms(readNumber(pair.number).normalized)
    return forms.map((form) => ({ ...pair, form: erasedForm(keyring, form) }))
  })
  const { rows } = await sql<{ team_id: string; number: string }>`
    select entry.team_id, wanted.number
    from ${rowsOf(wanted, { teamId: 'uuid', number: 'text', form: 'text' }).as('wanted')}
    join sms_opt_outs as entry on entry.team_id = wanted.team_id and entry.phone_number = wanted.form
  `.execute(db)
  return new Set(rows.map((row) => `${row.team_id} ${row.number}`))
}
