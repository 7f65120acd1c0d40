import type { App, Tx } from '../../context.ts'
import { claimNumber, numberTaken, type OwnedNumber, refuseForeignNumber } from '../../numbers/claim.ts'
import { conflict, type DomainError, invalid, notFound, providerFailed } from '../../platform/errors.ts'
import { enqueueHeldJobs } from '../../platform/jobs/enqueue.ts'
import { defineJob, LeaseLost } from '../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../platform/jobs/leases.ts'
import { type VerifySenderJob, verifySenderJob } from '../jobs.ts'
import type { WhatsappRegistrationAnswer } from '../provider.ts'
import { getSender } from './get.ts'
import { findSender, senderColumns } from './queries.ts'
import type { Sender } from './schema.ts'
import type { WhatsappSenderStatus } from './table.ts'

/** Where verification may begin. */
const startable: WhatsappSenderStatus[] = ['not_started', 'failed', 'rejected']

/**
 * Registers a sender with the provider: pending, then active, failed or rejected. Throws `providerFailed` where the provider
 * was out of reach, and then the sender is as it was.
 */
export async function verifySender(app: App, teamId: string, id: string): Promise<Sender> {
  const { job, sender } = await begin(app, teamId, id)
  const release = app.jobs.hold(job)
  try {
    const answer = await register(app, teamId, sender)
    const verified = await record(app, job, answer)
    if (!verified) throw notFound('WhatsApp sender')
    if (verified instanceof Error) throw verified
    if (answer.kind === 'unavailable')
      throw providerFailed(`${answer.message} The sender is as it was; the request can be repeated.`)
    return verified
  } catch (error) {
    // This process was away for longer than its lease; what the other made of the sender is the answer.
    if (error instanceof LeaseLost) return getSender(app, teamId, id)
    throw error
  } finally {
    release()
  }
}

/** Ends the verification of a request whose process died: without it the sender would be pending for ever. */
export const finishVerification = defineJob(verifySenderJob, {
  concurrency: 4,
  retryDelaysMs: [5000, 30_000],
  async run(app, job) {
    const sender = await findSender(app.db, job.teamId, job.key)
    if (sender?.status !== 'pending') return undefined
    await record(app, job, await register(app, job.teamId, sender))
    return 'settled'
  },
})

type Begun = { job: VerifySenderJob; sender: Sender }

async function begin(app: App, teamId: string, id: string): Promise<Begun> {
  try {
    return await app.transaction((tx) => claim(app, tx, teamId, id))
  } catch (error) {
    // Only the index can tell: two may be verifying it this very moment.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_senders_working_number') throw error
    throw conflict('This phoneNumberId belongs to another sender that is active or being verified. Check the id.')
  }
}

async function claim(app: App, tx: Tx, teamId: string, id: string): Promise<Begun> {
  const before = await tx.db
    .selectFrom('whatsapp_senders')
    .select(['status', 'waba_id', 'phone_number_id', 'rejection_reason'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound('WhatsApp sender')
  const { status, waba_id, phone_number_id, rejection_reason } = before
  if (status === 'suspended') throw invalid('status', 'this sender is suspended; ask the support to resolve that')
  if (status === 'active') throw conflict('This sender is active already.')
  if (status === 'pending') throw conflict('This sender is being verified. Look at it again in a minute.')
  if (waba_id === null) throw invalid('wabaId', 'must be set before the sender is verified')
  if (phone_number_id === null) throw invalid('phoneNumberId', 'must be set before the sender is verified')
  if (isOwned(app)) await refuseForeignNumber(app, tx, teamId, ownedBy(phone_number_id))
  const sender = await tx.db
    .updateTable('whatsapp_senders')
    .set({ status: 'pending', rejection_reason: null, updated_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', 'in', startable)
    .returning(senderColumns)
    .executeTakeFirstOrThrow()
  const payload = { status, rejectionReason: rejection_reason }
  const [job] = await enqueueHeldJobs(tx, verifySenderJob, [{ teamId, key: id, payload }])
  return { sender, job: job! }
}

function register(app: App, teamId: string, sender: Sender): Promise<WhatsappRegistrationAnswer> {
  const { phoneNumberId, wabaId, phoneNumber, displayName } = sender
  return app.whatsappProvider.registerSender({
    teamId,
    phoneNumberId: phoneNumberId!,
    wabaId: wabaId!,
    phoneNumber,
    displayName,
  })
}

/** With `capture` any team can use any number. */
function isOwned(app: App): boolean {
  return app.whatsappProvider.name !== 'capture'
}

function ownedBy(phoneNumberId: string): OwnedNumber {
  return { channel: 'whatsapp', number: phoneNumberId }
}

/**
 * Gives the sender as it then stands, undefined where it was deleted meanwhile, and an error where the number was given to
 * another team meanwhile. Throws `LeaseLost` where another process has taken over.
 */
function record(
  app: App,
  job: VerifySenderJob,
  answer: WhatsappRegistrationAnswer,
): Promise<Sender | DomainError | undefined> {
  return app.transaction(async (tx) => {
    const held = await deleteHeldJobs(tx, [job])
    if (!held.has(job)) throw new LeaseLost()
    const sender = await tx.db
      .updateTable('whatsapp_senders')
      .set({ ...outcomeOf(job, answer), updated_at: tx.now })
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .where('status', '=', 'pending')
      .returning(senderColumns)
      .executeTakeFirst()
    if (sender?.status !== 'active' || !isOwned(app)) return sender
    const owned = ownedBy(sender.phoneNumberId!)
    if (await claimNumber(app, tx, job.teamId, owned)) return sender
    await tx.db
      .updateTable('whatsapp_senders')
      .set(beforeOf(job))
      .where('team_id', '=', job.teamId)
      .where('id', '=', job.key)
      .execute()
    return numberTaken(owned)
  })
}

type Outcome = { status: WhatsappSenderStatus; rejection_reason: string | null }

function outcomeOf(job: VerifySenderJob, answer: WhatsappRegistrationAnswer): Outcome {
  if (answer.kind === 'active') return { status: answer.kind, rejection_reason: null }
  if (answer.kind !== 'unavailable') return { status: answer.kind, rejection_reason: answer.reason }
  return beforeOf(job)
}

function beforeOf(job: VerifySenderJob): Outcome {
  return { status: job.payload.status, rejection_reason: job.payload.rejectionReason }
}
