import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { type RequestKey, type StoredResponse, storeResponses } from '../../../platform/idempotency/keys.ts'
import { enqueueJobs, type NewJob } from '../../../platform/jobs/enqueue.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { whileDatabaseIsGone } from '../../../platform/while-database-is-gone.ts'
import { type DeliveryJob, deliverToDomainJob, type EmailJob } from '../../jobs.ts'
import { mailOf } from '../../notification.ts'
import type { DispatchOutcome, MessageHead } from '../../provider.ts'
import type { EmailFact } from '../facts/consequences.ts'
import { type EmailFacts, recordEmailFacts } from '../facts/record.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { openFacts } from './by-domain/facts.ts'

export type Handed = {
  job: EmailJob
  email: Pick<Outbound, 'teamId' | 'id'> & Pick<EmailFacts, 'tags'>
  facts: EmailFact[]
  /** The jobs that deliver it. Until they are done the email is still being sent. */
  deliveries: NewJob<DeliveryJob>[]
  /** The answer of the request that sent it, stored with the same commit. */
  answer: { key: RequestKey; response: StoredResponse } | null
}

/**
 * Records the outcome of a hand-over and removes the job, in a commit shared with others that end meanwhile. Throws `LeaseLost`
 * if another process has taken the email over, or an earlier attempt was committed although its answer was lost.
 */
export function recordHanded(app: App, handed: Handed): Promise<void> {
  return whileDatabaseIsGone(() => recordGathered(app, handed))
}

const recordGathered = gatheredFor((app: App, batch: Handed[]) => app.transaction((tx) => recordAll(tx, batch)), {
  itemsMax: 200,
  flushesMax: 1,
})

async function recordAll(tx: Tx, batch: Handed[]): Promise<(undefined | Error)[]> {
  const held = await deleteHeldJobs(
    tx,
    batch.map(({ job }) => job),
  )
  const ours = batch.filter(({ job }) => held.has(job))
  await recordEmailFacts(
    tx,
    ours.map(({ email, facts, deliveries }) => {
      const { teamId, id: emailId, tags } = email
      return { teamId, emailId, tags, facts, settled: deliveries.length === 0 }
    }),
  )
  const deliveries = ours.flatMap(({ deliveries }) => deliveries)
  tx.unread(enqueueJobs(tx, deliverToDomainJob, deliveries))
  const answers = ours.flatMap(({ answer }) => answer ?? [])
  tx.unread(storeResponses(tx, answers))
  return batch.map(({ job }) => (held.has(job) ? undefined : new LeaseLost()))
}

/** Returns the facts known from a hand-over. An email that all recipients refused permanently was never sent. */
export function factsOfHandOver(
  message: MessageHead,
  outcome: Exclude<DispatchOutcome, { kind: 'unavailable' }>,
): EmailFact[] {
  const mail = mailOf(message)
  const sent: EmailFact = {
    type: 'sent',
    recipient: null,
    data: { notificationType: 'Send', mail, ...responseOf(outcome) },
  }
  if (outcome.kind === 'unknown') {
    return [sent, { type: 'outcome_unknown', recipient: null, data: { message: outcome.message, mail } }]
  }
  return wasRefused(outcome)
    ? outcome.facts
    : [sent, ...outcome.facts, ...openFacts(message, outcome.open ?? [], message.at)]
}

/** Tells whether all recipients refused the email permanently. */
export function wasRefused({ accepted, open = [] }: Extract<DispatchOutcome, { kind: 'answered' }>): boolean {
  return accepted.length === 0 && open.length === 0
}

function responseOf(outcome: DispatchOutcome) {
  return outcome.kind === 'answered' && outcome.response !== null ? { smtpResponse: outcome.response } : {}
}
