import type { Db } from '../../context.ts'
import { findSendingDomains } from '../../domains/queries.ts'
import { invalid } from '../../platform/errors.ts'
import { domainOf } from '../../platform/text/mail-address.ts'
import { parseMailbox } from '../mailbox.ts'

type Asked = { path: string; what: 'openTracking' | 'clickTracking' }

/**
 * Refuses emails that ask not to be tracked and are from a domain that tracks, since tracking is a setting of domains.
 * `asked` names the fields that ask so. Throws `invalid` for the first of them that cannot be kept.
 */
export async function refuseUntracked(db: Db, teamId: string, froms: string[], asked: Asked[]): Promise<void> {
  if (asked.length === 0) return
  const names = new Set(froms.flatMap((from) => parseMailbox(from)?.address ?? []).map(domainOf))
  const wanted = [...names].map((name) => ({ teamId, name }))
  const found = await findSendingDomains({ db }, wanted, { lock: false })
  for (const domain of found.values()) {
    const kept = asked.find(({ what }) => domain[what])
    if (!kept) continue
    const path = 'PATCH /v1/domains/{id}'
    throw invalid(kept.path, `cannot be off, because ${domain.name} has ${kept.what} on: switch it off with ${path}`)
  }
}
