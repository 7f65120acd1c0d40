import { setTimeout } from 'node:timers/promises'
import type { App, Tx } from '../../context.ts'
import { lockNumber, numberTaken, type OwnedNumber } from '../../phone/claim.ts'
import { suspendedIsNotVerified } from '../../phone/suspend.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { invalid, orNotFound, providerFailed } from '../../platform/errors.ts'
import { askUnderLease } from '../../platform/jobs/ask-under-lease.ts'
import { takeOverJob } from '../../platform/jobs/enqueue.ts'
import { defineJob, LeaseLost } from '../../platform/jobs/job.ts'
import { isJobHeld } from '../../platform/jobs/waiting-jobs.ts'
import { type VerifySmsSenderJob, verifySmsSenderJob } from '../jobs.ts'
import type { SmsRegistrationAnswer } from '../provider.ts'
import { getSender } from './get.ts'
import { ownedBy, refuseAnothersNumber, takeNumber } from './own-number.ts'
import { findSender, lockSender } from './queries.ts'
import type { SmsSenderStatus } from './table.ts'

/**
 * Registers a sender with the provider and answers with the outcome: active, failed or rejected. The sender is
 * `pending` while the provider is asked. Requests that come meanwhile wait for the same outcome. Throws `conflict` if
 * the number is another team's, and `providerFailed` if the provider is out of reach; then the sender does not change.
 */
export async function verifySender(app: App, teamId: string, id: string): ReturnType<typeof getSender> {
  const job = await app.transaction((tx) => claim(app, tx, teamId, id))
  if (job === 'active') return getSender(app, teamId, id)
  if ('reasonBefore' in job) {
    const sender = await awaitOutcome(app, teamId, id)
    return isAsBefore(sender, job) ? verifySender(app, teamId, id) : sender
  }
  const registered = await register(app, job).catch((error) => {
    // This process was paused for longer than its lease, and another has taken the verification over.
    if (error instanceof LeaseLost) return null
    throw error
  })
  if (!registered) return awaitOutcome(app, teamId, id)
  if (registered.taken) throw numberTaken(registered.taken)
  if (registered.answer?.kind === 'unavailable') {
    throw providerFailed(`${registered.answer.message} The sender is as it was; verify it again later.`)
  }
  return getSender(app, teamId, id)
}

/** Finishes the verification of a request whose process died. Without it the sender would stay pending. */
export const finishSmsVerification = defineJob(verifySmsSenderJob, {
  atRestore: 'discard',
  concurrency: 4,
  retryDelaysMs: [5000, 30_000],
  async onDiscard(_, tx, { teamId, key, payload }) {
    await tx.db
      .updateTable('sms_senders')
      .set({ status: payload.status ?? 'failed', updated_at: tx.now })
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

type Before = { status: SmsSenderStatus }

/** Another request or process asks the provider now. `reasonBefore` is why a former verification failed, or null. */
type Asked = { reasonBefore: string | null }

/** `active`: there is nothing to ask. */
type Claimed = VerifySmsSenderJob | 'active' | Asked

/**
 * True if the other request may have had no outcome, for example because the provider was out of reach. One that failed
 * again for the same reason looks the same.
 */
function isAsBefore({ status, rejectionReason }: Sender, { reasonBefore }: Asked): boolean {
  const hasFailed = status === 'failed' || status === 'rejected'
  return status === 'not_started' || (hasFailed && rejectionReason === reasonBefore)
}

/** Marks a sender as pending, with a job that this process holds. */
async function claim(app: App, tx: Tx, teamId: string, id: string): Promise<Claimed> {
  const sender = await orNotFound('SMS sender', lockSender(tx, teamId, id))
  const { status } = sender
  if (status === 'active') return 'active'
  if (status === 'suspended') throw invalid('status', suspendedIsNotVerified)
  if (status === 'pending' && (await isJobHeld(tx, verifySmsSenderJob, id)))
    return { reasonBefore: sender.rejectionReason }
  await refuseAnothersNumber(app, tx, teamId, sender)
  await tx.db
    .updateTable('sms_senders')
    .set({ status: 'pending', updated_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
  // The job of a pending sender already contains the status before; without such a job the sender stays pending.
  const isPending = status === 'pending'
  return takeOverJob(tx, verifySmsSenderJob, { teamId, key: id, ...(!isPending && { payload: { status } }) })
}

type Sender = NonNullable<Awaited<ReturnType<typeof findSender>>>
/** `taken` is the number, if another team has verified it meanwhile. `answer` is null if the sender is not pending. */
type Registered = { answer: SmsRegistrationAnswer | null; taken: OwnedNumber | null }

async function register(app: App, job: VerifySmsSenderJob): Promise<Registered> {
  const sender = await findSender(app.db, job.teamId, job.key)
  const ask = async () => (sender?.status === 'pending' ? askProvider(app, job.teamId, sender) : null)
  return askUnderLease(app, job, ask, async (tx, answer) => {
    if (!sender || !answer) return { answer: null, taken: null }
    const isOurs = await record(app, tx, job, sender, answer)
    return { answer, taken: isOurs ? null : ownedBy(sender) }
  })
}

function askProvider(app: App, teamId: string, sender: Sender): Promise<SmsRegistrationAnswer> {
  const { id: senderRowId, name, senderId, senderType, country, defaultMessageType } = sender
  return app.providers.sms.live.registerSender({
    teamId,
    senderRowId,
    name,
    senderId,
    senderType,
    country,
    defaultMessageType,
  })
}

/**
 * Records the outcome, unless the sender was deleted, suspended or stopped meanwhile; then it claims no number either.
 * False if another team has verified the number meanwhile; then the sender does not change.
 */
async function record(
  app: App,
  tx: Tx,
  { teamId, payload }: VerifySmsSenderJob,
  sender: Sender,
  answer: SmsRegistrationAnswer,
): Promise<boolean> {
  await lockNumber(tx, ownedBy(sender))
  const found = await lockSender(tx, teamId, sender.id)
  if (found?.status !== 'pending') return true
  const before: Before = { status: 'pending', ...payload }
  const isTaken = answer.kind === 'active' && !(await takeNumber(app, tx, teamId, sender))
  await tx.db
    .updateTable('sms_senders')
    .set({ ...(isTaken ? before : outcomeOf(answer, before)), updated_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', sender.id)
    .execute()
  if (!isTaken && answer.kind !== 'unavailable') {
    const action = `sms_sender.${answer.kind === 'active' ? 'verified' : answer.kind}` as const
    await recordChange(tx, { teamId, action, target: { type: 'sms_sender', id: sender.id, name: sender.name } })
  }
  return !isTaken
}

type Outcome = { status: SmsSenderStatus; provider_ref?: string; rejection_reason?: string | null }

function outcomeOf(answer: SmsRegistrationAnswer, before: Before): Outcome {
  if (answer.kind === 'active') return { status: 'active', provider_ref: answer.providerRef, rejection_reason: null }
  if (answer.kind === 'unavailable') return before
  return { status: answer.kind, rejection_reason: answer.reason }
}

/** Longer than a provider is asked, which takes 20 s at most. */
const waitMax = 25_000
const pollMs = 100

/**
 * Waits until the verification that another request has begun is over. Returns the sender, which is pending if it takes
 * too long.
 */
async function awaitOutcome(app: App, teamId: string, id: string) {
  for (let waited = 0; ; waited += pollMs) {
    const sender = await getSender(app, teamId, id)
    if (sender.status !== 'pending' || waited >= waitMax) return sender
    await setTimeout(pollMs)
  }
}
