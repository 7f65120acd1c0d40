import type { App, Tx } from '../../context.ts'
import { claimNumber, numberTaken, type OwnedNumber, refuseForeignNumber } from '../../numbers/claim.ts'
import { invalid, notFound, providerFailed } from '../../platform/errors.ts'
import type { SmsRegistrationAnswer } from '../provider.ts'
import { getSender } from './get.ts'
import { findTeamsOfNumber, lockNumber, senderColumns } from './queries.ts'
import type { SmsSenderStatus, SmsSenderType } from './table.ts'

const verifiable: SmsSenderStatus[] = ['not_started', 'pending', 'failed', 'rejected']

/**
 * Registers a sender with the provider and answers with what came of it. While the provider is asked it is `pending`; a
 * process that dies then leaves it so, and it can be verified again. Throws `conflict` where the number is another team's,
 * `providerFailed` where the provider is out of reach; then the sender is as it was.
 */
export async function verifySender(app: App, teamId: string, id: string) {
  const begun = await begin(app, teamId, id)
  if (!begun) return refuseSuspended(await getSender(app, teamId, id))
  const { before, sender } = begun
  const { name, senderId, senderType, country, defaultMessageType } = sender
  const registration = { teamId, senderRowId: id, name, senderId, senderType, country, defaultMessageType }
  const answer = await app.smsProvider.registerSender(registration)
  if (!(await record(app, teamId, sender, answer, before))) throw numberTaken(ownedBy(sender))
  if (answer.kind === 'unavailable') {
    throw providerFailed(`${answer.message} The sender is as it was; verify it again later.`)
  }
  return getSender(app, teamId, id)
}

type Outcome = { status: SmsSenderStatus; provider_ref?: string; rejection_reason?: string | null }

function outcomeOf(answer: SmsRegistrationAnswer, before: SmsSenderStatus): Outcome {
  if (answer.kind === 'active') return { status: 'active', provider_ref: answer.providerRef, rejection_reason: null }
  if (answer.kind === 'failed') return { status: 'failed', rejection_reason: answer.reason }
  return { status: before }
}

/** Undefined where it cannot be verified, or needs not. */
function begin(app: App, teamId: string, id: string) {
  return app.transaction(async (tx) => {
    const found = await tx.db
      .selectFrom('sms_senders')
      .select('status')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!found) throw notFound('SMS sender')
    const sender = await tx.db
      .updateTable('sms_senders')
      .set({ status: 'pending', updated_at: tx.now })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('status', 'in', verifiable)
      .returning(senderColumns)
      .executeTakeFirst()
    if (sender) await refuseAnothers(app, tx, teamId, sender)
    return sender && { before: found.status, sender }
  })
}

type Identity = { id: string; senderId: string; senderType: SmsSenderType }

/**
 * A number in the operator's account belongs to one team for good, because that team gets what people write to it. Any
 * team can use any name, and with `capture` any number.
 */
function isOwned(app: App, { senderType }: Identity): boolean {
  return senderType !== 'alphanumeric_id' && app.smsProvider.name !== 'capture'
}

function ownedBy({ senderId }: Identity): OwnedNumber {
  return { channel: 'sms', number: senderId }
}

async function refuseAnothers(app: App, tx: Tx, teamId: string, sender: Identity): Promise<void> {
  if (!isOwned(app, sender)) return
  await refuseForeignNumber(app, tx, teamId, ownedBy(sender))
  if (await isUsedByAnother(tx, teamId, sender)) throw numberTaken(ownedBy(sender))
}

/** Also without a claim: a number that was released, or that several teams used with `capture`. */
async function isUsedByAnother(tx: Tx, teamId: string, { senderId }: Identity): Promise<boolean> {
  return (await findTeamsOfNumber(tx.db, senderId)).some((owner) => owner !== teamId)
}

/** Whether the team has the number from now on. */
async function takeNumber(app: App, tx: Tx, teamId: string, sender: Identity): Promise<boolean> {
  if (!isOwned(app, sender)) return true
  if (await isUsedByAnother(tx, teamId, sender)) return false
  return claimNumber(app, tx, teamId, ownedBy(sender))
}

function refuseSuspended<S extends { status: SmsSenderStatus }>(sender: S): S {
  if (sender.status === 'suspended') {
    throw invalid('status', 'the sender is suspended; ask whoever runs this installation to resolve it')
  }
  return sender
}

/**
 * Of two verifications that race, one success is enough: what is active stays so. False: another team verified the number
 * meanwhile, and the sender is as it was.
 */
function record(
  app: App,
  teamId: string,
  sender: Identity,
  answer: SmsRegistrationAnswer,
  before: SmsSenderStatus,
): Promise<boolean> {
  return app.transaction(async (tx) => {
    await lockNumber(tx, sender.senderId)
    const isTaken = answer.kind === 'active' && !(await takeNumber(app, tx, teamId, sender))
    const outcome = isTaken ? { status: before } : outcomeOf(answer, before)
    await tx.db
      .updateTable('sms_senders')
      .set({ ...outcome, updated_at: tx.now })
      .where('team_id', '=', teamId)
      .where('id', '=', sender.id)
      .where('status', 'in', verifiable)
      .execute()
    return !isTaken
  })
}
