import type { App } from '../../context.ts'
import { readNumber } from '../../phone/phone-number.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { invalid } from '../../platform/errors.ts'
import { isPhoneNumber, numberForms, phoneNumberForm } from '../../platform/text/phone-number.ts'
import { optOutColumns } from './queries.ts'

/** Blocks a number by hand. Returns the existing entry if it is blocked already, in any of its forms. */
export async function addOptOut(app: App, teamId: string, phoneNumber: string) {
  if (!isPhoneNumber(phoneNumber)) throw invalid('phoneNumber', phoneNumberForm)
  const number = readNumber(phoneNumber).normalized
  return app.transaction(async (tx) => {
    const known = await tx.db
      .selectFrom('sms_opt_outs')
      .select(optOutColumns)
      .where('team_id', '=', teamId)
      .where('phone_number', 'in', numberForms(number))
      .executeTakeFirst()
    if (known) return known
    const id = tx.newId()
    const entry = await tx.db
      .insertInto('sms_opt_outs')
      .values({ team_id: teamId, id, phone_number: number, reason: 'manual', created_at: tx.now })
      // An update that changes nothing locks and returns the existing row, also among concurrent requests.
      .onConflict((existing) =>
        existing
          .columns(['team_id', 'phone_number'])
          .doUpdateSet((row) => ({ phone_number: row.ref('sms_opt_outs.phone_number') })),
      )
      .returning(optOutColumns)
      .executeTakeFirstOrThrow()
    const target = { type: 'sms_opt_out', id, name: entry.phoneNumber }
    if (entry.id === id) await recordChange(tx, { teamId, action: 'sms_opt_out.added', target })
    return entry
  })
}
