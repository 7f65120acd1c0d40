import type { App } from '../context.ts'
import { findSendingDomains } from '../domains/queries.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import { domainOf } from '../platform/mail-address.ts'

/** Warns the operator at the start about settings with which system mail cannot work. */
export async function warnOfSystemMail({ config, db, log }: Pick<App, 'config' | 'db' | 'log'>): Promise<void> {
  const { systemFrom, systemTeam: teamId } = config
  if (systemFrom === null || teamId === null) {
    if (config.requireVerifiedEmail === 'off') return
    log.warn(
      'REQUIRE_VERIFIED_EMAIL is on, and without SYSTEM_FROM and SYSTEM_TEAM nobody gets a mail that verifies an address.',
    )
    return
  }
  const name = domainOf(parseMailbox(systemFrom)!.address)
  const [domain] = await findSendingDomains({ db }, [{ teamId, name }], { lock: false })
  if (domain?.status === 'verified') return
  log.warn(`No system mail is sent: ${name}, the domain of SYSTEM_FROM, is not a verified domain of SYSTEM_TEAM.`)
}
