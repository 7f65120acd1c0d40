import type { App, Tx } from '../../context.ts'
import { claimNumber, numberTaken, type OwnedNumber, refuseForeignNumber } from '../../phone/claim.ts'
import { findTeamsOfNumber } from './queries.ts'
import type { SmsSenderType } from './table.ts'

type Identity = { senderId: string; senderType: SmsSenderType }

/**
 * Tells whether a sender ID belongs to one team. A number of the operator's account does so permanently, because that
 * team receives its messages. Any team can use any name, and with `capture` any number.
 */
function isOwned(app: App, { senderType }: Identity): boolean {
  return senderType !== 'alphanumeric_id' && app.providers.sms.live.name !== 'capture'
}

export function ownedBy({ senderId }: Identity): OwnedNumber {
  return { channel: 'sms', number: senderId }
}

export async function refuseAnothersNumber(app: App, tx: Tx, teamId: string, sender: Identity): Promise<void> {
  if (!isOwned(app, sender)) return
  await refuseForeignNumber(app, tx, teamId, ownedBy(sender))
  if (await isUsedByAnother(tx, teamId, sender)) throw numberTaken(ownedBy(sender))
}

/**
 * True if another team has an active sender with the number. The number need not be assigned, for example after its
 * release.
 */
async function isUsedByAnother(tx: Tx, teamId: string, { senderId }: Identity): Promise<boolean> {
  return (await findTeamsOfNumber(tx.db, senderId)).some((owner) => owner !== teamId)
}

/** Claims the number for the team. False if another team has it. */
export async function takeNumber(app: App, tx: Tx, teamId: string, sender: Identity): Promise<boolean> {
  if (!isOwned(app, sender)) return true
  if (await isUsedByAnother(tx, teamId, sender)) return false
  return claimNumber(app, tx, teamId, ownedBy(sender))
}
