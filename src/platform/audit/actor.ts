import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The one who makes a change. `name` is null for users and keys, whose present name is looked up as the change is
 * recorded.
 */
export type Actor = {
  type: 'user' | 'api_key' | 'operator' | 'system'
  id: string | null
  name: string | null
  address: string | null
  requestId: string | null
  /** The client's User-Agent, cut to 200 characters, for requests. */
  userAgent?: string | null
}

const storage = new AsyncLocalStorage<Actor>()
/** Posthorn itself, or a person who has not signed in yet. */
export const system: Actor = { type: 'system', id: null, name: 'Posthorn', address: null, requestId: null }

/** Runs `work` on behalf of an actor, which applies to everything that `work` does and waits for. */
export function runAs<T>(actor: Actor, work: () => T): T {
  return storage.run(actor, work)
}

/** Returns the present actor: the caller of the request, or `system` in jobs and for providers' calls. */
export function currentActor(): Actor {
  return storage.getStore() ?? system
}

/** Runs work of the installation itself, such as a job, whatever request or command began it. */
export function runAsSystem<T>(work: () => T): T {
  return storage.run(system, work)
}

export function operatorOf(command: string): Actor {
  return { ...system, type: 'operator', name: command }
}
