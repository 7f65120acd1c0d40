import type { Tx } from '../../context.ts'
import type { SendingDomain } from '../../domains/queries.ts'
import { countMessages } from '../../health/count-messages.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { insertRows } from '../../platform/sql/insert-rows.ts'
import { deliverEmailJob } from '../jobs.ts'
import { newMessageId } from '../messages/email.ts'
import { scopesOf } from '../messages/scopes.ts'
import type { Values } from './compile.ts'

/** The data that all emails of a broadcast share, except their content. */
type BroadcastHead = {
  teamId: string
  broadcastId: string
  domain: SendingDomain
  from: string
  replyTo: string | null
}

type NewBroadcastEmail = {
  id: string
  to: string
  subject: string
  variables: Values
  unsubscribeSeed: string
}

/** Stores the letter of a broadcast, once for all its emails. */
export async function insertLetter(
  tx: Tx,
  { teamId, id, html, text }: { teamId: string; id: string; html: string | null; text: string | null },
): Promise<void> {
  await tx.db.insertInto('email_letters').values({ team_id: teamId, id, html, text }).execute()
}

/** Accepts emails of a broadcast, to be sent by workers. The caller has taken their quota and chosen the recipients. */
export async function acceptBroadcastEmails(tx: Tx, head: BroadcastHead, emails: NewBroadcastEmail[]): Promise<void> {
  const { teamId, broadcastId } = head
  const rows = emails.map((email) => emailRow(tx, head, email))
  await insertRows(tx, 'emails', rows)
  const contents = emails.map(({ id, variables, unsubscribeSeed }) => ({
    team_id: teamId,
    email_id: id,
    letter_id: broadcastId,
    variables,
    unsubscribe_seed: unsubscribeSeed,
  }))
  await insertRows(tx, 'email_contents', contents)
  const jobs = emails.map(({ id }) => ({ teamId, key: id, payload: { counted: true as const } }))
  countMessages(tx, 'email', jobs)
  await enqueueJobs(tx, deliverEmailJob, jobs)
}

/** The email is not being dispatched yet, so that it can be cancelled like scheduled mail. */
function emailRow(
  tx: Tx,
  { teamId, broadcastId, domain, from, replyTo }: BroadcastHead,
  { id, to, subject }: NewBroadcastEmail,
) {
  return {
    team_id: teamId,
    id,
    domain_id: domain.id,
    domain_name: domain.name,
    from_address: from,
    to_addresses: [to],
    cc_addresses: null,
    bcc_addresses: null,
    reply_to: replyTo,
    subject,
    status: 'scheduled' as const,
    dispatching: false,
    message_id: newMessageId(id, domain.name),
    tags: null,
    headers: null,
    scheduled_at: null,
    sent_at: null,
    created_at: tx.now,
    scopes: scopesOf({ tags: null, broadcastId }),
  }
}
