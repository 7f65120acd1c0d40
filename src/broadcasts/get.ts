import type { App, Caller } from '../context.ts'
import { findDomain } from '../domains/queries.ts'
import { domainSeenBy } from '../emails/get.ts'
import { notFound, orNotFound } from '../platform/errors.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'
import { findBroadcast, type Seen } from './queries.ts'
import type { Broadcast } from './schema.ts'

/** Finds a broadcast. Throws `notFound`, also if the caller does not see it. */
export async function getBroadcast(app: App, caller: Caller, id: string): Promise<Broadcast> {
  return orNotFound('broadcast', findBroadcast(app.db, caller.teamId, id, await broadcastsSeenBy(app, caller)))
}

/**
 * Returns what a caller sees: a restricted key its domain's, and a test key none that a person made for people of the
 * live team.
 */
export async function broadcastsSeenBy(app: App, caller: Caller): Promise<Seen> {
  return { domainName: await domainNameSeenBy(app, caller), readsLive: caller.kind === 'user' }
}

/** Finds the domain whose broadcasts a restricted key sees. Null if the caller sees all broadcasts. */
async function domainNameSeenBy(app: App, caller: Caller): Promise<string | null> {
  const domainId = domainSeenBy(caller)
  if (domainId === null) return null
  const domain = await findDomain(app.db, liveTeamOf(caller.teamId), domainId)
  // A domain's keys are deleted with it, so this domain is being deleted.
  if (!domain) throw notFound('broadcast')
  return domain.name
}
