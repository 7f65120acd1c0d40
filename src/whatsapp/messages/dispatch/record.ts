import type { App, Tx } from '../../../context.ts'
import { givenUp } from '../../../phone/given-up.ts'
import { type RequestKey, storeResponses } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { lockHeldJobs } from '../../../platform/jobs/leases.ts'
import { deleteJobs } from '../../../platform/jobs/waiting-jobs.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { untilDatabaseIsBack } from '../../../platform/transaction/while-database-is-gone.ts'
import { noteCustomerNumbers } from '../../conversations/open.ts'
import { deliverWhatsappJob, type WhatsappMessageJob } from '../../jobs.ts'
import { stopAfterMessages } from '../../marketing/choices.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import type { FactOfWhatsapp } from '../facts/consequences.ts'
import { lockForRecording, takeStatuses } from '../facts/early.ts'
import { recordUnknown, recordWhatsappFacts } from '../facts/record.ts'
import { findWhatsappMessages } from '../queries.ts'
import type { WhatsappMessage } from '../schema.ts'
import { isOwnRefusal } from './own-refusals.ts'

type Handed = {
  job: WhatsappMessageJob
  answer: WhatsappAnswer
  /** The key that stores the message, as of this commit, as its response. */
  key: RequestKey | null
}

/**
 * Records the provider's answer and removes the job. Concurrent calls share a commit. Returns the message. Does not
 * require the job's lease: only the process that marked the message has called the provider, and its late answer
 * replaces the `outcome_unknown` of a worker that took over. A refusal of ours requires it, since another process may
 * have sent the message. Throws `LeaseLost` if the lease was lost, or the message was deleted.
 */
export function recordHanded(app: App, handed: Handed): Promise<WhatsappMessage> {
  return untilDatabaseIsBack(app, () => recordGathered(app, handed))
}

const recordGathered: (app: App, handed: Handed) => Promise<WhatsappMessage> = gatheredFor(
  (app, batch) => app.transaction((tx) => recordAll(tx, batch)),
  { itemsMax: 200, flushesMax: 1 },
)

async function recordAll(tx: Tx, batch: Handed[]): Promise<(WhatsappMessage | Error)[]> {
  const ours = await findOurs(tx, batch)
  await recordAnswers(tx, ours)
  const refs = ours.map(({ job }) => ({ teamId: job.teamId, id: job.key }))
  const ids = refs.map(({ id }) => id)
  tx.withCommit(deleteJobs(tx, [deliverWhatsappJob], ids))
  const messages = await findWhatsappMessages(tx.db, refs)
  const answers = ours.flatMap(({ job, key }) => {
    const body = messages.get(job.key)
    return key && body ? [{ key, response: { status: 200, body } }] : []
  })
  tx.withCommit(storeResponses(tx, answers))
  return batch.map((handed) => (ours.includes(handed) && messages.get(handed.job.key)) || new LeaseLost())
}

/** Returns what this process may record: answers of the provider, and own refusals of jobs that it still holds. */
async function findOurs(tx: Tx, batch: Handed[]): Promise<Handed[]> {
  const refused = batch.flatMap(({ job, answer }) => (isOwnRefusal(answer) ? job : []))
  const held = await lockHeldJobs(tx, refused)
  return batch.filter(({ job, answer }) => !isOwnRefusal(answer) || held.has(job))
}

async function recordAnswers(tx: Tx, batch: Handed[]): Promise<void> {
  tx.withCommit(lockForRecording(tx))
  // Every transaction locks conversations before messages.
  const numbers = batch.flatMap((handed) => {
    const number = handed.answer.kind === 'accepted' ? handed.answer.customerNumber : undefined
    return number === undefined ? [] : [{ ...messageOf(handed), number }]
  })
  tx.withCommit(noteCustomerNumbers(tx, numbers))
  const facts = batch.flatMap((handed) => factOf(handed, tx.now))
  const early = await findEarly(tx, facts)
  await recordWhatsappFacts(tx, [...facts, ...early])
  const unknown = batch.flatMap((handed) =>
    handed.answer.kind === 'unknown' ? [{ ...messageOf(handed), message: handed.answer.message }] : [],
  )
  await recordUnknown(tx, unknown)
  const stopped = batch.filter(({ answer }) => answer.kind === 'refused' && answer.isMarketingStop)
  await stopAfterMessages(tx, stopped.map(messageOf))
}

function messageOf({ job }: Handed): { teamId: string; messageId: string } {
  return { teamId: job.teamId, messageId: job.key }
}

export async function endDiscarded(
  _: App,
  tx: Tx,
  job: WhatsappMessageJob,
  reason: string,
  byRestore: boolean,
): Promise<void> {
  const message = await tx.db
    .selectFrom('whatsapp_messages')
    .select('handed_over_at')
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.key)
    .executeTakeFirst()
  if (!message) return
  await recordAnswers(tx, [{ job, answer: givenUp(message, reason, byRestore), key: null }])
}

function factOf(handed: Handed, at: Date): FactOfWhatsapp[] {
  const { answer } = handed
  const message = { ...messageOf(handed), at }
  if (answer.kind === 'unknown') return []
  if (answer.kind === 'accepted') {
    const { providerMessageId, data } = answer
    return [{ ...message, status: 'sent', providerMessageId, data }]
  }
  const data = (answer.kind === 'refused' && answer.data) || { message: answer.message }
  return [{ ...message, status: 'failed', providerMessageId: null, data, reason: answer.message }]
}

/** Returns the statuses that the provider reported before its answer was recorded. */
async function findEarly(tx: Tx, facts: FactOfWhatsapp[]): Promise<FactOfWhatsapp[]> {
  const byProviderId = new Map(facts.map((fact) => [fact.providerMessageId, fact]))
  const ids = facts.flatMap(({ providerMessageId }) => providerMessageId ?? [])
  const kept = await takeStatuses(tx, ids)
  return kept.map(({ providerMessageId, status, data }) => {
    return { ...byProviderId.get(providerMessageId)!, status, data }
  })
}
