import { sql } from 'kysely'
import { modeOf } from '../platform/mode/mode.ts'
import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { anotherRecipient, withoutOthers } from '../platform/privacy/others.ts'
import { erased } from '../platform/privacy/person.ts'
import { type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'

/** A message to somebody else that names the person is shown without its text. */
function showSms({ teamId, person }: Showing, { row }: Found): object {
  const own = namesPerson(row.to_number, 'text', person)
  return {
    ...{ id: row.id, to: own ? row.to_number : anotherRecipient, body: own ? row.body : null },
    ...{ messageType: row.message_type, status: row.status, segments: row.segments, senderName: row.sender_name },
    ...{ mode: modeOf(teamId), createdAt: row.created_at, sentAt: row.sent_at },
  }
}

function showEvent({ person }: Showing, { row }: Found): object {
  const { id, message_id: messageId, type, created_at: createdAt, data } = row
  return { id, messageId, type, createdAt, data: withoutOthers(data, person) }
}

function showOptOut(_: Showing, { row }: Found): object {
  const { id, phone_number: phoneNumber, reason, created_at: createdAt } = row
  return { id, phoneNumber, reason, createdAt }
}

export const smsTraces: Trace[] = [
  traceOf({
    name: 'smsEvents',
    table: 'sms_events',
    key: ['message_id', 'id'],
    searched: { data: 'json' },
    show: showEvent,
  }),
  traceOf({
    ...{ name: 'sms', table: 'sms_messages', key: ['id'], searched: { to_number: 'text', body: 'text' } },
    hidden: ['price_units', 'handed_over_at'],
    show: showSms,
    // The row stays without the person, because the ledger of the team's credit refers to it.
    async erase(tx, teamId, found) {
      const ids = found.map(({ key }) => key[0]!)
      await sql`
        update sms_messages set to_number = ${erased}, body = ${erased} where team_id = ${teamId} and id = any(${ids}::uuid[])
      `.execute(tx.db)
      return found.length
    },
  }),
  // Entries with the number itself. The keyed hash that an erasure keeps is not among them.
  traceOf({
    ...{ name: 'smsOptOuts', table: 'sms_opt_outs', key: ['id'], searched: { phone_number: 'text' } },
    show: showOptOut,
  }),
  maskedTraceOf({
    ...{ name: 'smsSenderNames', table: 'sms_messages', key: ['id'] },
    searched: { sender_name: 'text' },
  }),
  maskedTraceOf({
    ...{ name: 'smsSenders', table: 'sms_senders', key: ['id'] },
    searched: { name: 'text', rejection_reason: 'text' },
  }),
]
