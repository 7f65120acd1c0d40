import type { App } from '../../context.ts'
import { newValues, recordChange } from '../../platform/audit/record.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { isCountry } from './country.ts'
import { senderColumns } from './queries.ts'
import { senderIdFault } from './rules.ts'
import type { NewSender } from './schema.ts'

/** Creates a sender, which must then be verified. Throws `invalid`, or `conflict` if the team has the sender ID. */
export async function createSender(app: App, teamId: string, sender: NewSender) {
  const {
    name,
    senderId,
    senderType = 'alphanumeric_id',
    country = 'AU',
    defaultMessageType = 'transactional',
  } = sender
  const fault = senderIdFault(senderType, senderId)
  if (fault) throw invalid('senderId', fault)
  if (!isCountry(country)) throw invalid('country', 'must be a country code of ISO 3166-1 alpha-2, such as AU')
  const row = await app.transaction(async (tx) => {
    const made = await tx.db
      .insertInto('sms_senders')
      .values({
        team_id: teamId,
        id: tx.newId(),
        name,
        sender_id: senderId,
        sender_type: senderType,
        country,
        default_message_type: defaultMessageType,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .onConflict((existing) => existing.columns(['team_id', 'sender_id']).doNothing())
      .returning(senderColumns)
      .executeTakeFirst()
    const target = { type: 'sms_sender', id: made?.id ?? '', name }
    const changes = newValues({ senderId, senderType, country, defaultMessageType })
    if (made) await recordChange(tx, { teamId, action: 'sms_sender.created', target, changes })
    return made
  })
  if (!row) throw conflict(`The team already has a sender ${senderId}. Use that one, or delete it first.`)
  return row
}
