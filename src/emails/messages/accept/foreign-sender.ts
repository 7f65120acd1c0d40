import type { Caller, Db } from '../../../context.ts'
import { findDomain } from '../../../domains/queries.ts'
import { type DomainError, forbidden } from '../../../platform/errors.ts'
import { liveTeamOf } from '../../../platform/mode/mode.ts'
import { domainOf } from '../../../platform/text/mail-address.ts'
import { parseMailbox } from '../../mailbox.ts'

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

export function foreignSender(from: string): DomainError {
  return forbidden(`This API key may send only from its own domain, not from ${from}.`)
}
