import type { App } from '../context.ts'
import { findSendingDomain } from '../domains/queries.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import { domainOf } from '../platform/text/mail-address.ts'

/** Says in one line with which settings system mail cannot work; null if it can. */
export async function systemMailWarning({ config, db }: Pick<App, 'config' | 'db'>): Promise<string | null> {
  const { systemFrom, systemTeam: teamId } = config
  if (systemFrom === null || teamId === null) {
    if (config.requireVerifiedEmail === 'off') return null
    return 'REQUIRE_VERIFIED_EMAIL is on, and without SYSTEM_FROM and SYSTEM_TEAM nobody gets a mail that verifies an address.'
  }
  const name = domainOf(parseMailbox(systemFrom)!.address)
  const domain = await findSendingDomain({ db }, { teamId, name }, { lock: false })
  if (domain?.status === 'verified') return null
  return `No system mail is sent: ${name}, the domain of SYSTEM_FROM, is not a verified domain of SYSTEM_TEAM.`
}
