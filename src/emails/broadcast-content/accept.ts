import type { Tx } from '../../context.ts'
import type { SendingDomain } from '../../domains/queries.ts'
import { insertRows } from '../../platform/insert-rows.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { newMessageId } from '../messages/accept/accepted.ts'
import { deliverKind } from '../messages/dispatch/deliver-kind.ts'
import type { Values } from './compile.ts'

/** What all copies of a letter share beside its text. */
export type Mailing = {
  teamId: string
  letterId: string
  domain: SendingDomain
  from: string
  replyTo: string | null
}

export type NewCopy = { id: string; to: string; subject: string; variables: Values; unsubscribeSeed: string }

export async function insertLetter(
  tx: Tx,
  letter: { teamId: string; id: string; html: string | null; text: string | null },
): Promise<void> {
  const { teamId, id, html, text } = letter
  await tx.db.insertInto('email_letters').values({ team_id: teamId, id, html, text }).execute()
}

/** Accepts copies of a letter, to be sent by workers. The caller has taken their quota and chosen whom to write to. */
export async function acceptCopies(tx: Tx, mailing: Mailing, copies: NewCopy[]): Promise<void> {
  const { teamId, letterId } = mailing
  await insertRows(
    tx.db,
    'emails',
    copies.map((copy) => emailRow(tx, mailing, copy)),
  )
  await insertRows(
    tx.db,
    'email_contents',
    copies.map(({ id, variables, unsubscribeSeed }) => ({
      team_id: teamId,
      email_id: id,
      letter_id: letterId,
      variables,
      unsubscribe_seed: unsubscribeSeed,
    })),
  )
  const payload = { counted: true }
  await enqueueJobs(
    tx,
    copies.map(({ id }) => ({ kind: deliverKind, teamId, key: id, payload })),
  )
}

/** Nobody hands it over yet: until then it can be cancelled like scheduled mail. */
function emailRow(tx: Tx, { teamId, domain, from, replyTo }: Mailing, { id, to, subject }: NewCopy) {
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
  }
}
