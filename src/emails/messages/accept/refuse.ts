import type { App, Caller, Db } from '../../../context.ts'
import { findDomain, findSendingDomains, type SendingDomain, sendingDomainKey } from '../../../domains/queries.ts'
import { type DomainError, forbidden, unprocessable } from '../../../platform/errors.ts'
import { liveTeamOf } from '../../../platform/mode/mode.ts'
import { domainOf } from '../../../platform/text/mail-address.ts'
import { addresseeKey, findSuppressed } from '../../../suppressions/queries.ts'
import { parseMailbox } from '../../mailbox.ts'
import { addresseesOf, type EmailCommand, type SendingTeam } from '../email.ts'

/** Says why an email may not be sent, or null. Checks permission, domain, template and suppression, in this order. */
export function refusalOf(
  team: SendingTeam,
  command: EmailCommand,
  domains: Map<string, SendingDomain>,
  suppressed: Set<string>,
): DomainError | null {
  const domain = domains.get(sendingDomainKey({ teamId: team.teamId, name: command.domainName }))
  if (team.domainId !== null && domain?.id !== team.domainId) {
    return foreignSender(command.from)
  }
  if (domain?.status !== 'verified') return unverifiedDomain(command.domainName)
  if (command.templateRefusal) return command.templateRefusal
  const addressees = addresseesOf(team.teamId, command)
  const blocked = addressees.filter((one) => suppressed.has(addresseeKey(one))).map(({ address }) => address)
  return blocked.length > 0 ? suppressedRecipients(blocked) : null
}

/**
 * Finds the first email that `acceptEmails` would refuse now by its rules; the limits are not asked. Null without one.
 */
export async function findRefused(
  { db, keyring }: App,
  team: SendingTeam,
  commands: EmailCommand[],
): Promise<{ index: number; refusal: DomainError } | null> {
  const { teamId } = team
  const names = commands.map(({ domainName }) => ({ teamId, name: domainName }))
  const domains = await findSendingDomains({ db }, names, { lock: false })
  const addressees = commands.flatMap((command) => addresseesOf(teamId, command))
  const suppressed = await findSuppressed({ db, keyring }, addressees)
  for (const [index, command] of commands.entries()) {
    const refusal = refusalOf(team, command, domains, suppressed)
    if (refusal) return { index, refusal }
  }
  return null
}

export function unverifiedDomain(name: string): DomainError {
  const message = `${name} is not a verified domain of this team. Add it under /v1/domains and verify it before sending from it.`
  return forbidden(message, 'domain_not_verified')
}

function suppressedRecipients(blocked: string[]): DomainError {
  const message = `On the suppression list: ${blocked.join(', ')}. Remove them from the recipients, or the entries from /v1/suppressions.`
  return unprocessable('recipient_suppressed', message, { suppressed: blocked })
}

/**
 * Finds the first sender that a key restricted to a domain may not use. Called before an idempotency key is looked up,
 * because a key must not read back what another domain has sent.
 */
export async function findForeignSender(
  db: Db,
  caller: Caller,
  froms: string[],
): Promise<{ index: number; refusal: DomainError } | null> {
  if (caller.domainId === null) return null
  const own = await findDomain(db, liveTeamOf(caller.teamId), caller.domainId)
  const index = froms.findIndex((from) => {
    const mailbox = parseMailbox(from)
    return mailbox !== null && domainOf(mailbox.address) !== own?.name
  })
  return index === -1 ? null : { index, refusal: foreignSender(froms[index]!) }
}

/** Throws the refusal of the first of these senders that the caller's key may not use. */
export async function refuseForeignSender(db: Db, caller: Caller, froms: string[]): Promise<void> {
  const foreign = await findForeignSender(db, caller, froms)
  if (foreign) throw foreign.refusal
}

function foreignSender(from: string): DomainError {
  return forbidden(`${onlyOwn}, not from ${from}.`)
}

const onlyOwn = 'This API key may send only from its own domain'

/** Tells whether a refusal is about the domain of the sender, for other APIs, which name such refusals apart. */
export function isOfSender({ details, message }: DomainError): boolean {
  return details.name === 'domain_not_verified' || message.includes(onlyOwn)
}
