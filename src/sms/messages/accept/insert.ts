import { chargeMessages } from '../../../billing/credit/charge.ts'
import type { Tx } from '../../../context.ts'
import { countMessages } from '../../../health/count-messages.ts'
import { enqueueHeldJobs } from '../../../platform/jobs/enqueue.ts'
import { insertRows } from '../../../platform/sql/insert-rows.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { deliverSmsJob } from '../../jobs.ts'
import { recordAccepted } from '../facts/record.ts'
import type { AcceptedSms, NewSms } from './accepted.ts'

/**
 * Inserts accepted messages, each with its charge, first event and job, which this process holds. Returns them by id.
 */
export async function insertSms(tx: Tx, messages: NewSms[]): Promise<Map<string, AcceptedSms>> {
  const rows = messages.map((message) => messageRow(tx, message))
  tx.withCommit(insertRows(tx, 'sms_messages', rows))
  recordAccepted(tx, messages)
  countMessages(tx, 'sms', messages)
  const newJobs = messages.map(({ teamId, id }) => ({ teamId, key: id }))
  const charged = messages.map(({ teamId, id, zone }) => ({ teamId, messageId: id, zone }))
  const [jobs] = await allEnded([enqueueHeldJobs(tx, deliverSmsJob, newJobs), chargeMessages(tx, charged)])
  return new Map(messages.map((message, index) => [message.id, { ...message, job: jobs[index]! }]))
}

function messageRow(tx: Tx, { teamId, id, command, sender, messageType, zone, units, day }: NewSms) {
  return {
    team_id: teamId,
    id,
    sender_id: sender.id,
    sender_name: sender.name,
    to_number: command.to,
    body: command.body,
    message_type: messageType,
    status: 'accepted' as const,
    segments: command.segments,
    zone,
    price_units: units,
    charged_day: day,
    created_at: tx.now,
  }
}
