import { sql } from 'kysely'
import { settleMessages } from '../../../billing/credit/settle.ts'
import type { App, Tx } from '../../../context.ts'
import { givenUp } from '../../../phone/given-up.ts'
import { type RequestKey, storeResponses } from '../../../platform/idempotency/keys.ts'
import { LeaseLost, type TeamJob } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { untilDatabaseIsBack } from '../../../platform/transaction/while-database-is-gone.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { noteRefusedByOptOut } from '../../opt-outs/note-refused.ts'
import type { SmsAnswer } from '../../provider.ts'
import { returnUsage } from '../../quota/usage.ts'
import type { Sms } from '../../schema.ts'
import type { Outcome } from '../facts/consequences.ts'
import { forgetEventData, recordOutcomes } from '../facts/record.ts'
import { takeLate } from './late.ts'
import { isOfProvider } from './own-refusals.ts'

type Handed = {
  job: TeamJob
  answer: SmsAnswer
  /** The key that stores the message, as of this commit, as its response. */
  key: RequestKey | null
}

type Ours = Handed & { staysBilled?: boolean | undefined }

/**
 * Records the provider's answer, settles the charge and removes the job. Concurrent calls share a commit. Returns the
 * message. An answer that the provider gave also replaces the unknown outcome that another process recorded after it
 * took the job over. Throws `LeaseLost` if the lease was lost and there is nothing to add.
 */
export function recordHanded(app: App, handed: Handed): Promise<Sms> {
  return untilDatabaseIsBack(app, () => recordGathered(app, handed))
}

const recordGathered: (app: App, handed: Handed) => Promise<Sms> = gatheredFor(
  (app, batch) => app.transaction((tx) => recordAll(tx, batch)),
  { itemsMax: 200, flushesMax: 1 },
)

/** A message with the fields that settle its charge, which responses do not contain. */
type Settled = { sms: Sms; teamId: string; day: string; units: number }

async function recordAll(tx: Tx, batch: Handed[]): Promise<(Sms | Error)[]> {
  const jobs = batch.map(({ job }) => job)
  const held = await deleteHeldJobs(tx, jobs)
  const lost = batch.filter(({ job, answer }) => !held.has(job) && isOfProvider(answer))
  const lostJobs = lost.map(({ job }) => job)
  const late = await takeLate(tx, lostJobs)
  // A worker of the same process may have taken the message over: the provider's answer counts, not the unknown
  // outcome.
  const ours = batch.filter((handed) => (late.has(handed.job.key) ? lost.includes(handed) : held.has(handed.job)))
  const settled = await recordAnswers(
    tx,
    // Overage that is due to be reported stays billed: the payment provider may know of it already.
    ours.map((handed) => ({ ...handed, staysBilled: late.get(handed.job.key)?.isReported })),
  )
  return batch.map(({ job }) => settled.get(job.key)?.sms ?? new LeaseLost())
}

export async function endDiscarded(_: App, tx: Tx, job: TeamJob, reason: string, byRestore: boolean): Promise<void> {
  const message = await tx.db
    .selectFrom('sms_messages')
    .select('handed_over_at')
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.key)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!message) return
  await recordAnswers(tx, [{ job, answer: givenUp(message, reason, byRestore), key: null }])
}

async function recordAnswers(tx: Tx, ours: Ours[]): Promise<Map<string, Settled>> {
  const facts = ours.flatMap(factsOf)
  await recordOutcomes(tx, ours.map(outcomeOf), facts)
  const stopped = ours.filter(({ answer }) => answer.kind === 'refused' && answer.isOptOut)
  await noteRefusedByOptOut(tx, stopped.map(messageOf))
  const finding = findSettled(tx, ours)
  const [unbilled, billed] = [ours.filter((handed) => !isBilled(handed)), ours.filter((handed) => isBilled(handed))]
  if (unbilled.length > 0) await returnMoney(tx, unbilled, await finding)
  const [settled] = await allEnded([finding, settleMessages(tx, billed.map(billable))])
  const answers = ours.flatMap(({ job, key }) => {
    return key ? [{ key, response: { status: 200, body: settled.get(job.key)!.sms } }] : []
  })
  tx.withCommit(storeResponses(tx, answers))
  const isErased = ({ job, answer }: Ours) => isOfProvider(answer) && settled.get(job.key)?.sms.to === erased
  await forgetEventData(
    tx,
    ours.filter(isErased).map(({ job: { teamId, key: messageId } }) => ({ teamId, messageId })),
  )
  return settled
}

/** True if nothing was sent: the provider refused the message, or was out of reach and the message is not withdrawn. */
function isFailed({ kind }: SmsAnswer): boolean {
  return kind === 'refused' || kind === 'unavailable'
}

function isBilled({ answer, staysBilled = false }: Ours): boolean {
  return staysBilled || !isFailed(answer)
}

function outcomeOf(handed: Ours): Outcome {
  const { answer } = handed
  const message = { ...messageOf(handed), isBilled: isBilled(handed) }
  if (answer.kind === 'accepted') return { ...message, event: null, providerMessageId: answer.providerMessageId }
  const type = isFailed(answer) ? 'failed' : 'outcome_unknown'
  const status = { messageStatus: type.toUpperCase(), messageStatusDescription: answer.message }
  const data = { ...status, ...(answer.kind === 'refused' && answer.data) }
  return { ...message, event: { type, data }, providerMessageId: null }
}

function factsOf(handed: Handed) {
  const { answer } = handed
  return answer.kind === 'accepted' ? answer.facts.map((fact) => ({ ...messageOf(handed), fact })) : []
}

function messageOf({ job }: Handed): { teamId: string; messageId: string } {
  return { teamId: job.teamId, messageId: job.key }
}

async function findSettled(tx: Tx, handed: Handed[]): Promise<Map<string, Settled>> {
  const jobs = handed.map(({ job }) => job)
  const rows = await tx.send(sql<Omit<Sms, 'mode'> & { teamId: string; day: string; units: string }>`
    select message.id, to_number as "to", body, message_type as "messageType", status, segments,
      provider_message_id as "providerMessageId", sender_id as "senderId", sender_name as "senderName",
      created_at as "createdAt", sent_at as "sentAt", message.team_id as "teamId", charged_day as day, price_units as units
    from ${rowsOf(jobs, { teamId: 'uuid', key: 'uuid' }).as('handed')}
    join sms_messages as message on message.team_id = handed.team_id and message.id = handed.key
  `)
  return new Map(
    rows.map(({ teamId, day, units, ...sms }) => {
      return [sms.id, { sms: { ...sms, mode: modeOf(teamId) }, teamId, day, units: Number(units) }]
    }),
  )
}

function billable(handed: Handed) {
  return { ...messageOf(handed), billable: true }
}

/**
 * Returns the charges of failed messages. A failed message is not billed, but still counts against the day's number of
 * messages.
 */
async function returnMoney(tx: Tx, failed: Handed[], settled: Map<string, Settled>): Promise<void> {
  const all = failed.map(({ job }) => settled.get(job.key)!)
  const returned = all.map(({ teamId, day, units }) => ({ teamId, day, units, messages: 0 }))
  await returnUsage(tx, returned)
  const unbilled = failed.map((handed) => ({ ...messageOf(handed), billable: false }))
  await settleMessages(tx, unbilled)
}
