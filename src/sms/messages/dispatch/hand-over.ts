import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { handsOverOnce } from '../../../phone/hand-over.ts'
import type { TeamJob } from '../../../platform/jobs/job.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import { whileDatabaseIsGone } from '../../../platform/transaction/while-database-is-gone.ts'
import type { OutboundSms, SmsAnswer } from '../../provider.ts'
import { refusalOfWaiting } from './own-refusals.ts'

type Columns = Omit<OutboundSms, 'teamId' | 'messageId'>

const columns = sql`sender.sender_id as "from", sender.sender_type as "senderType",
  sender.provider_ref as "providerRef", message.to_number as "to", message.body, message.message_type as "messageType"`

/** Hands the SMS of a job to the provider, at most once. It is `refused` if the sender is not active. */
export const handOver = handsOverOnce<TeamJob, Columns, OutboundSms, SmsAnswer>({
  marking: { channel: 'sms', columns, alsoSet: sql`, provider = held.provider` },
  outboundOf: ({ isMarked: _isMarked, exists: _exists, wasHandedOver: _wasHandedOver, ...message }) => message,
  send: (app, message) => app.providers.sms[modeOf(message.teamId)].send(message),
})

/** Much less than the 10 s within which a caller is told that the database is out of reach. */
const checkAgainMs = 3000

/**
 * Hands over an SMS that has waited: the process that accepted it died, or it is one of the last of a batch. It is
 * `refused` if its recipient has opted out or was erased meanwhile.
 */
export async function handOverWaiting(app: App, job: TeamJob) {
  return (await whileDatabaseIsGone(() => refusalOfWaiting(app, job), checkAgainMs)) ?? (await handOver(app, job))
}
