import type { App, Caller } from '../context.ts'
import { findDomain } from '../domains/queries.ts'
import { domainSeenBy } from '../emails/get.ts'
import { notFound } from '../platform/errors.ts'
import type { Page, PageQuery } from '../platform/pagination.ts'
import { findBroadcast, listBroadcastsOfTeam } from './queries.ts'
import type { Broadcast } from './schema.ts'

/** Throws `notFound`, also where the caller's key is another domain's. */
export async function getBroadcast(app: App, caller: Caller, id: string): Promise<Broadcast> {
  const broadcast = await findBroadcast(app.db, caller.teamId, id, await domainNameSeenBy(app, caller))
  if (!broadcast) throw notFound('broadcast')
  return broadcast
}

/** A page, newest first, with the bodies. */
export async function listBroadcasts(app: App, caller: Caller, query: PageQuery): Promise<Page<Broadcast>> {
  return listBroadcastsOfTeam(app, caller.teamId, await domainNameSeenBy(app, caller), query)
}

/** Null: all of them. */
async function domainNameSeenBy(app: App, caller: Caller): Promise<string | null> {
  const domainId = domainSeenBy(caller)
  if (domainId === null) return null
  const domain = await findDomain(app.db, caller.teamId, domainId)
  // Its key goes with a domain: this one is being deleted this moment.
  if (!domain) throw notFound('broadcast')
  return domain.name
}
