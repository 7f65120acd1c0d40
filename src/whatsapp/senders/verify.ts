import type { App, Tx } from '../../context.ts'
import { claimNumber, numberTaken, type OwnedNumber, refuseForeignNumber } from '../../phone/claim.ts'
import { suspendedIsNotVerified } from '../../phone/suspend.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, invalid, notFound, providerFailed } from '../../platform/errors.ts'
import { askUnderLease } from '../../platform/jobs/ask-under-lease.ts'
import { takeOverJob } from '../../platform/jobs/enqueue.ts'
import { defineJob, LeaseLost } from '../../platform/jobs/job.ts'
import { type VerifyWhatsappSenderJob, verifyWhatsappSenderJob } from '../jobs.ts'
import type { WhatsappRegistrationAnswer } from '../provider.ts'
import { getSender } from './get.ts'
import { findSender } from './queries.ts'
import type { Sender } from './schema.ts'

/**
 * Registers a sender with the provider: pending, then active, failed or rejected. Throws `providerFailed` if the
 * provider is out of reach; then the sender does not change.
 */
export async function verifySender(app: App, teamId: string, id: string): Promise<Sender> {
  const job = await begin(app, teamId, id)
  const registered = await register(app, job).catch((error) => {
    // This process was paused for longer than its lease, so the response shows the outcome that another process
    // recorded.
    if (error instanceof LeaseLost) return null
    throw error
  })
  if (registered?.taken) throw numberTaken(registered.taken)
  if (registered?.answer?.kind === 'unavailable')
    throw providerFailed(`${registered.answer.message} The sender is as it was; the request can be repeated.`)
  return getSender(app, teamId, id)
}

/** Finishes the verification of a request whose process died. Without it the sender would stay pending. */
export const finishWhatsappVerification = defineJob(verifyWhatsappSenderJob, {
  atRestore: 'discard',
  concurrency: 4,
  retryDelaysMs: [5000, 30_000],
  async onDiscard(_, tx, { teamId, key, payload: before }) {
    await tx.db
      .updateTable('whatsapp_senders')
      .set({ ...before, updated_at: tx.now })
      .where('team_id', '=', teamId)
      .where('id', '=', key)
      .where('status', '=', 'pending')
      .execute()
  },
  onRetry: async () => 'The sender is as it was before. Its team verifies it again.',
  async run(app, job) {
    await register(app, job)
    return 'recorded'
  },
})

async function begin(app: App, teamId: string, id: string): Promise<VerifyWhatsappSenderJob> {
  try {
    return await app.transaction((tx) => claim(app, tx, teamId, id))
  } catch (error) {
    // Only the index is exact, since two requests may verify the number at the same time.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_senders_working_number') throw error
    throw conflict('This phoneNumberId belongs to another sender that is active or being verified. Check the id.')
  }
}

/** Marks a sender as pending, with a job that this process holds. */
async function claim(app: App, tx: Tx, teamId: string, id: string): Promise<VerifyWhatsappSenderJob> {
  const before = await tx.db
    .selectFrom('whatsapp_senders')
    .select(['status', 'waba_id', 'phone_number_id', 'rejection_reason'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('WhatsApp sender'))
  const { status, waba_id, phone_number_id, rejection_reason } = before
  if (status === 'suspended') throw invalid('status', suspendedIsNotVerified)
  if (status === 'active') throw conflict('This sender is active already.')
  if (status === 'pending') throw conflict('This sender is being verified. Look at it again in a minute.')
  if (waba_id === null) throw invalid('wabaId', 'must be set before the sender is verified')
  if (phone_number_id === null) throw invalid('phoneNumberId', 'must be set before the sender is verified')
  if (isOwned(app)) await refuseForeignNumber(app, tx, teamId, ownedBy(phone_number_id))
  await tx.db
    .updateTable('whatsapp_senders')
    .set({ status: 'pending', rejection_reason: null, updated_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
  const payload: Before = { status, rejection_reason }
  return takeOverJob(tx, verifyWhatsappSenderJob, { teamId, key: id, payload })
}

type Before = VerifyWhatsappSenderJob['payload']

/** `taken` is the number, if another team has claimed it meanwhile. `answer` is null if the sender is not pending. */
type Registered = { answer: WhatsappRegistrationAnswer | null; taken: OwnedNumber | null }

async function register(app: App, job: VerifyWhatsappSenderJob): Promise<Registered> {
  const sender = await findSender(app.db, job.teamId, job.key)
  const ask = async () => (sender?.status === 'pending' ? askProvider(app, job.teamId, sender) : null)
  return askUnderLease(app, job, ask, async (tx, answer) => {
    if (!sender || !answer) return { answer: null, taken: null }
    const isOurs = await record(app, tx, job, sender, answer)
    return { answer, taken: isOurs ? null : ownedBy(sender.phoneNumberId!) }
  })
}

function askProvider(app: App, teamId: string, sender: Sender): Promise<WhatsappRegistrationAnswer> {
  const { phoneNumberId, wabaId, phoneNumber, displayName } = sender
  return app.providers.whatsapp.live.registerSender({
    teamId,
    phoneNumberId: phoneNumberId!,
    wabaId: wabaId!,
    phoneNumber,
    displayName,
  })
}

/** Tells whether a number belongs to one team. With `capture`, any team can use any number. */
function isOwned(app: App): boolean {
  return app.providers.whatsapp.live.name !== 'capture'
}

function ownedBy(phoneNumberId: string): OwnedNumber {
  return { channel: 'whatsapp', number: phoneNumberId }
}

/** Records the outcome. False if another team has claimed the number meanwhile; then the sender does not change. */
async function record(
  app: App,
  tx: Tx,
  { teamId, key, payload: before }: VerifyWhatsappSenderJob,
  { name, phoneNumberId }: Sender,
  answer: WhatsappRegistrationAnswer,
): Promise<boolean> {
  const sender = tx.db.updateTable('whatsapp_senders').where('team_id', '=', teamId).where('id', '=', key)
  const moved = await sender
    .set({ ...outcomeOf(answer, before), updated_at: tx.now })
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) return true
  if (answer.kind === 'active' && isOwned(app) && !(await claimNumber(app, tx, teamId, ownedBy(phoneNumberId!)))) {
    await sender.set(before).execute()
    return false
  }
  if (answer.kind !== 'unavailable') {
    const action = `whatsapp_sender.${answer.kind === 'active' ? 'verified' : answer.kind}` as const
    await recordChange(tx, { teamId, action, target: { type: 'whatsapp_sender', id: key, name } })
  }
  return true
}

function outcomeOf(answer: WhatsappRegistrationAnswer, before: Before): Before {
  if (answer.kind === 'active') return { status: answer.kind, rejection_reason: null }
  if (answer.kind === 'unavailable') return before
  return { status: answer.kind, rejection_reason: answer.reason }
}
