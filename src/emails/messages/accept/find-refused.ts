import type { App } from '../../../context.ts'
import { findSendingDomains } from '../../../domains/queries.ts'
import type { DomainError } from '../../../platform/errors.ts'
import { findSuppressed } from '../../../suppressions/queries.ts'
import { addresseesOf, type EmailCommand, type SendingTeam } from '../email.ts'
import { refusalOf } from './refuse.ts'

/** Finds the first email that `accept` would refuse now by its rules; the limits are not asked. Null without one. */
export async function findRefused(
  { db, keyring }: App,
  team: SendingTeam,
  commands: EmailCommand[],
): Promise<{ index: number; refusal: DomainError } | null> {
  const { teamId } = team
  const names = commands.map(({ domainName }) => ({ teamId, name: domainName }))
  const found = await findSendingDomains({ db }, names, { lock: false })
  const domains = new Map(found.map((domain) => [domain.name, domain]))
  const addressees = commands.flatMap((command) => addresseesOf(teamId, command))
  const suppressed = await findSuppressed({ db, keyring }, addressees)
  for (const [index, command] of commands.entries()) {
    const refusal = refusalOf(team, command, domains.get(command.domainName), suppressed)
    if (refusal) return { index, refusal }
  }
  return null
}
