import type { App, Tx } from '../../context.ts'
import { claimNumber, numberTaken, type OwnedNumber, refuseForeignNumber } from '../../numbers/claim.ts'
import { findTeamsOfNumber } from './queries.ts'
import type { SmsSenderType } from './table.ts'

type Identity = { senderId: string; senderType: SmsSenderType }

/**
 * A number of the operator's account belongs to one team for good, because that team receives what people write to it. Any
 * team can use any name, and with `capture` any number.
 */
function isOwned(app: App, { senderType }: Identity): boolean {
  return senderType !== 'alphanumeric_id' && app.smsProvider.name !== 'capture'
}

export function ownedBy({ senderId }: Identity): OwnedNumber {
  return { channel: 'sms', number: senderId }
}

export async function refuseAnothersNumber(app: App, tx: Tx, teamId: string, sender: Identity): Promise<void> {
  if (!isOwned(app, sender)) return
  await refuseForeignNumber(app, tx, teamId, ownedBy(sender))
  if (await isUsedByAnother(tx, teamId, sender)) throw numberTaken(ownedBy(sender))
}

/** Also true without an assignment: the number was released, or several teams used it with `capture`. */
async function isUsedByAnother(tx: Tx, teamId: string, { senderId }: Identity): Promise<boolean> {
  return (await findTeamsOfNumber(tx.db, senderId)).some((owner) => owner !== teamId)
}

/** Whether the team has the number from now on. */
export async function takeNumber(app: App, tx: Tx, teamId: string, sender: Identity): Promise<boolean> {
  if (!isOwned(app, sender)) return true
  if (await isUsedByAnother(tx, teamId, sender)) return false
  return claimNumber(app, tx, teamId, ownedBy(sender))
}
