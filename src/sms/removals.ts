import { removeMessages } from '../phone/remove-messages.ts'
import type { Removal } from '../platform/retention/removal.ts'
import { type RemovePage, removeOldEventsInTeam } from '../platform/retention/remove-in-team.ts'
import { noteRemovedSms } from '../teams/retention/removed-sms.ts'
import { deliverSmsJob } from './jobs.ts'

/** A message has a few events. Entries in the ledger stay. */
const removeSms: RemovePage = (tx, teamId, page) => {
  const note = (throughId: string) => noteRemovedSms(tx, teamId, throughId)
  return removeMessages(tx, teamId, page, { name: 'sms', job: deliverSmsJob.kind, messagesMax: 200, note })
}

export const smsRemovals: Removal[] = [
  { name: 'sms', days: 'messagesDays', remove: removeSms },
  { name: 'sms-events', days: 'eventsDays', remove: removeOldEventsInTeam('sms_events', 'message_id') },
]
