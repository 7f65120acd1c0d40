import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { publish } from '../../../platform/events.ts'
import type { EmailJob } from '../../jobs.ts'
import { outdateStatusCounts } from '../../list/outdate-counts.ts'
import { parseMailbox } from '../../mailbox.ts'
import type { NotifiedMessage } from '../../notification.ts'
import { returnScheduled } from '../../quota/usage.ts'
import { discardedFacts, revivedFact, sentFact, unknownFact } from '../facts/make.ts'
import { recordEmailFacts } from '../facts/record.ts'
import type { EmailStatus } from '../statuses.ts'
import { cutOff } from './ending.ts'

/** Attempts that throw. With the delays of `backoffMs` they take 23 hours, as an email is given up after 24. */
export const attemptsMax = 28

/** Bounces an email whose job is discarded, such as one that cannot be composed. Its addresses stay usable. */
export async function bounceDiscarded(_: App, tx: Tx, job: EmailJob, reason: string): Promise<void> {
  const email = await lockEmail(tx, job)
  if (!email) return
  const { teamId, key: emailId } = job
  // Its answer was lost, or the provider reported on it, so it may have arrived.
  if (email.isSent) return recordEmailFacts(tx, [{ teamId, emailId, facts: [], settled: true }])
  // Where processes ended at composing it, none has handed it over since.
  const isCutNow = job.wasTakenUp && email.dispatching && job.endings === 0
  if (job.payload.cut || isCutNow) {
    const facts = [sentFact(email.message, null), unknownFact(email.message, cutOff)]
    return recordEmailFacts(tx, [{ teamId, emailId, facts, settled: true }])
  }
  if (email.status !== 'scheduled' && email.status !== 'delayed') return
  if (email.status === 'scheduled' && !email.dispatching) await returnScheduled(tx, teamId, emailId)
  const facts = discardedFacts(email.message, reason)
  await recordEmailFacts(tx, [{ teamId, emailId, facts, settled: true }])
  if (email.isOfBroadcast)
    await publish(tx, [{ type: 'email.ended_unsent', teamId, data: { emailId, reason: 'failed' } }])
}

/** Makes an email that was bounced unsent wait again. Returns why it cannot be sent again, or null. */
export async function revive(tx: Tx, job: EmailJob): Promise<string | null> {
  const email = await lockEmail(tx, job)
  if (!email?.hasContent) return 'The email was deleted, or its content was removed.'
  if (email.isSent || email.status !== 'bounced')
    return `The email is ${email.status}, and not waiting for this job any more.`
  const { teamId, key: emailId } = job
  tx.withCommit(outdateStatusCounts(tx, [{ teamId, emailId }]))
  // It was counted, or its count was returned. An email that is being dispatched is not counted again.
  await tx.db
    .updateTable('emails')
    .set({ status: 'delayed', dispatching: true, counted_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', emailId)
    .execute()
  await recordEmailFacts(tx, [{ teamId, emailId, facts: [revivedFact(email.message)] }])
  return null
}

type Row = {
  messageId: string
  from: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
  status: EmailStatus
  isSent: boolean
  dispatching: boolean
  isOfBroadcast: boolean
  hasContent: boolean
}
type State = Pick<Row, 'status' | 'isSent' | 'dispatching' | 'isOfBroadcast' | 'hasContent'>
type Locked = State & { message: NotifiedMessage }

/** Reads what events say of an email. The lock lets inserts of events pass, which refer to emails. */
async function lockEmail(tx: Tx, { teamId, key }: EmailJob): Promise<Locked | null> {
  const { rows } = await sql<Row>`
    select message_id as "messageId", from_address as "from", to_addresses as "to", cc_addresses as cc, bcc_addresses as bcc,
      status, sent_at is not null as "isSent", dispatching, coalesce(letter_id is not null, false) as "isOfBroadcast",
      content.email_id is not null as "hasContent"
    from emails as email
    left join lateral (
      select email_id, letter_id from email_contents where team_id = email.team_id and email_id = email.id limit 1
    ) as content on true
    where team_id = ${teamId} and id = ${key} for no key update of email
  `.execute(tx.db)
  const [row] = rows
  if (!row) return null
  const { messageId, from, to, cc, bcc, ...state } = row
  // An address that cannot be read may be the reason.
  const all = [...to, ...(cc ?? []), ...(bcc ?? [])].map((text) => parseMailbox(text)?.address ?? text)
  const recipients = [...new Set(all)]
  return { ...state, message: { messageId, envelope: { to: recipients }, summary: { from }, at: tx.now } }
}
