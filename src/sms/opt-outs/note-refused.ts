import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { readNumber } from '../../phone/phone-number.ts'
import { erased } from '../../platform/privacy/person.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { applyAction } from './apply-action.ts'

/**
 * Blocks the recipients of messages that the provider did not send because the person has opted out with it. The word
 * counts as of the time at which the message was handed over, so it does not undo an opt-in that came afterwards. The
 * number of an erased person is blocked already, by its keyed hash.
 */
export async function noteRefusedByOptOut(tx: Tx, messages: { teamId: string; messageId: string }[]): Promise<void> {
  if (messages.length === 0) return
  const { rows } = await sql<{ teamId: string; to: string; at: Date }>`
    select distinct message.team_id as "teamId", message.to_number as "to",
      coalesce(message.handed_over_at, message.created_at) as at
    from ${rowsOf(messages, { teamId: 'uuid', messageId: 'uuid' }).as('refused')}
    join sms_messages as message on message.team_id = refused.team_id and message.id = refused.message_id
      and message.to_number <> ${erased}
    order by "teamId", "to", at
  `.execute(tx.db)
  for (const { teamId, to, at } of rows) {
    const number = readNumber(to).normalized
    await applyAction(tx, { teamIds: [teamId], number, action: 'opted_out', at, origin: 'proven' })
  }
}
