import type { App } from '../../context.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'

/** About 4 MB. Those that were used longest ago are looked up again once their address is within its limit. */
const knownMax = 20_000

const knownOf = perApp((_: App) => createLru<true>({ countMax: knownMax }))

/**
 * Looks a cookie up by its hash, and remembers it if it has a caller. With `onlyKnown` one that is not remembered is
 * not looked up, and null is returned: a flood of invented ones from one address costs no query.
 */
export async function findIfKnown<Found>(
  app: App,
  hash: Buffer,
  onlyKnown: boolean,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  const known = knownOf(app)
  const name = hash.toString('base64')
  if (onlyKnown && !known.has(name)) return null
  const found = await find()
  if (found) known.set(name, true)
  else known.delete(name)
  return found
}

/** Remembers a cookie that this process has just made. */
export function rememberKnown(app: App, hash: Buffer): void {
  knownOf(app).set(hash.toString('base64'), true)
}
