import type { App, Tx } from '../../context.ts'
import { gather } from '../../platform/gather.ts'
import { type RequestKey, type StoredResponse, storeResponses } from '../../platform/idempotency/keys.ts'
import { deleteHeldJobs } from '../../platform/jobs/claim.ts'
import { type Job, LeaseLost } from '../../platform/jobs/job.ts'
import { mailOf } from '../notification.ts'
import type { DispatchOutcome, OutboundMessage } from '../provider.ts'
import type { Outbound } from './compose.ts'
import { type Fact, recordFacts } from './feedback.ts'

export type Handed = {
  job: Job
  email: Pick<Outbound, 'teamId' | 'id'>
  facts: Fact[]
  /** What the request that sent it is answered, stored with the same commit. */
  answer: { key: RequestKey; response: StoredResponse } | null
}

/**
 * Records that an email was handed over, and removes its job, in one commit shared with all others that end meanwhile.
 * Throws `LeaseLost` where another process has taken the email over: then that one records it.
 */
export function recordHanded(app: App, handed: Handed): Promise<void> {
  let recordOne = gathered.get(app)
  if (!recordOne) {
    recordOne = gather((batch: Handed[]) => app.transaction((tx) => recordAll(tx, batch)), {
      itemsMax: 200,
      flushesMax: 2,
    })
    gathered.set(app, recordOne)
  }
  return recordOne(handed)
}

const gathered = new WeakMap<App, (handed: Handed) => Promise<void>>()

async function recordAll(tx: Tx, batch: Handed[]): Promise<(undefined | Error)[]> {
  const held = await deleteHeldJobs(
    tx.db,
    batch.map(({ job }) => job),
  )
  const ours = batch.filter(({ job }) => held.has(job.id))
  await recordFacts(
    tx,
    ours.map(({ email, facts }) => ({ teamId: email.teamId, emailId: email.id, facts, settled: true })),
  )
  await storeResponses(
    tx,
    ours.flatMap(({ answer }) => answer ?? []),
  )
  return batch.map(({ job }) => (held.has(job.id) ? undefined : new LeaseLost()))
}

/** What a hand-over tells at once. Refused for good by everybody, an email was never sent. */
export function factsOf(message: OutboundMessage, outcome: Exclude<DispatchOutcome, { kind: 'unavailable' }>): Fact[] {
  const mail = mailOf(message)
  const sent: Fact = { type: 'sent', recipient: null, data: { notificationType: 'Send', mail, ...responseOf(outcome) } }
  if (outcome.kind === 'unknown') {
    return [sent, { type: 'outcome_unknown', recipient: null, data: { message: outcome.message, mail } }]
  }
  return outcome.accepted.length > 0 ? [sent, ...outcome.facts] : outcome.facts
}

function responseOf(outcome: DispatchOutcome) {
  return outcome.kind === 'answered' && outcome.response !== null ? { smtpResponse: outcome.response } : {}
}
