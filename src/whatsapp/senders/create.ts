import type { App } from '../../context.ts'
import { newValues, recordChange } from '../../platform/audit/record.ts'
import { conflict } from '../../platform/errors.ts'
import { refuseBadNumber } from '../phone-number.ts'
import { senderColumns } from './queries.ts'
import type { NewSender } from './schema.ts'

/** Creates a sender, which must then be verified. Throws `conflict` if the team has the number already. */
export function createSender(app: App, teamId: string, given: NewSender) {
  const { name, phoneNumber, displayName = null, wabaId = null, phoneNumberId = null } = given
  refuseBadNumber('phoneNumber', phoneNumber)
  return app.transaction(async (tx) => {
    const made = await tx.db
      .insertInto('whatsapp_senders')
      .values({
        team_id: teamId,
        id: tx.newId(),
        name,
        phone_number: phoneNumber,
        display_name: displayName,
        phone_number_id: phoneNumberId,
        waba_id: wabaId,
        status: 'not_started',
        rejection_reason: null,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .onConflict((existing) => existing.constraint('whatsapp_senders_phone_number').doNothing())
      .returning(senderColumns)
      .executeTakeFirstOrThrow(() =>
        conflict(`The team already has a WhatsApp sender ${phoneNumber}. Change that one with PATCH.`),
      )
    const target = { type: 'whatsapp_sender', id: made.id, name }
    const changes = newValues({ phoneNumber, displayName, wabaId, phoneNumberId })
    await recordChange(tx, { teamId, action: 'whatsapp_sender.created', target, changes })
    return made
  })
}
