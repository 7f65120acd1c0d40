import type { App, Caller } from '../context.ts'
import { findDomain } from '../domains/queries.ts'
import { domainSeenBy } from '../emails/get.ts'
import { notFound, orNotFound } from '../platform/errors.ts'
import { liveTeamOf } from '../platform/mode.ts'
import { findBroadcast } from './queries.ts'
import type { Broadcast } from './schema.ts'

/** Finds a broadcast. Throws `notFound`, also if the caller's key is restricted to another domain. */
export async function getBroadcast(app: App, caller: Caller, id: string): Promise<Broadcast> {
  const domainName = await domainNameSeenBy(app, caller)
  return orNotFound('broadcast', findBroadcast(app.db, caller.teamId, id, domainName))
}

/** Finds the domain whose broadcasts a restricted key sees. Null if the caller sees all broadcasts. */
export async function domainNameSeenBy(app: App, caller: Caller): Promise<string | null> {
  const domainId = domainSeenBy(caller)
  if (domainId === null) return null
  const domain = await findDomain(app.db, liveTeamOf(caller.teamId), domainId)
  // A domain's keys are deleted with it, so this domain is being deleted.
  if (!domain) throw notFound('broadcast')
  return domain.name
}
