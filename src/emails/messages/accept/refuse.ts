import type { SendingDomain } from '../../../domains/queries.ts'
import { type DomainError, forbidden, unprocessable } from '../../../platform/errors.ts'
import { addresseeKey } from '../../../suppressions/queries.ts'
import { addresseesOf, type EmailCommand, type Sender } from './command.ts'
import { foreignSender } from './foreign-sender.ts'

/** Says why an email may not be sent, or null. Checks permission, domain, template and suppression, in this order. */
export function refusalOf(
  sender: Sender,
  command: EmailCommand,
  domain: SendingDomain | undefined,
  suppressed: Set<string>,
): DomainError | null {
  if (sender.domainId !== null && domain?.id !== sender.domainId) {
    return foreignSender(command.from)
  }
  if (domain?.status !== 'verified') return unverifiedDomain(command.domainName)
  if (command.templateRefusal) return command.templateRefusal
  const addressees = addresseesOf(sender.teamId, command)
  const blocked = addressees.filter((one) => suppressed.has(addresseeKey(one))).map(({ address }) => address)
  return blocked.length > 0 ? suppressedRecipients(blocked) : null
}

export function unverifiedDomain(name: string): DomainError {
  const message = `${name} is not a verified domain of this team. Add it under /v1/domains and verify it before sending from it.`
  return forbidden(message, 'domain_not_verified')
}

function suppressedRecipients(blocked: string[]): DomainError {
  const message = `On the suppression list: ${blocked.join(', ')}. Remove them from the recipients, or the entries from /v1/suppressions.`
  return unprocessable('recipient_suppressed', message, { suppressed: blocked })
}
