import type { App } from '../../../context.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import { normalizeAddress } from '../../../platform/text/mail-address.ts'
import { addressesOf } from '../../mailbox.ts'
import type { MessageHead } from '../../provider.ts'
import { returnAddress, unsignedReturnAddress } from '../../return-address.ts'
import type { Addressed } from './outbound.ts'

/**
 * Gives each recipient a separate return address, so that a report counts for that recipient only. An envelope has one
 * sender, so each recipient needs a transaction. All share one if no mail comes back to this installation.
 */
export function envelopeOf(app: App, email: Addressed): MessageHead['envelope'] {
  const { recipients: to } = email
  if (to.length === 1) return { from: senderFor(app, email)(to[0]!), to }
  const from = unsignedReturnAddress(email.id, email.domain.returnPath)
  const comesBack =
    app.providers.email[modeOf(email.teamId)].usesReturnAddress === true && app.config.inboundSmtpPort !== 'off'
  return comesBack ? { from, to, senders: to.map(senderFor(app, email)) } : { from, to }
}

function senderFor(app: App, email: Addressed): (recipient: string) => string {
  const { returnPath } = email.domain
  const all = addressesOf(email).map(normalizeAddress)
  const at = app.clock.now()
  return (address) => {
    const recipient = all.indexOf(normalizeAddress(address))
    if (recipient === -1) return unsignedReturnAddress(email.id, returnPath)
    return returnAddress(app.keyring, { emailId: email.id, recipient, returnPath }, at)
  }
}
