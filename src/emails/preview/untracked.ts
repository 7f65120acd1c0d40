import type { App } from '../../context.ts'
import { clickPath, openPath } from '../tracking/paths.ts'
import { readTrackingToken } from '../tracking/token.ts'

/**
 * Returns the target of a link that we track, null for our image that tracks openings, and other addresses unchanged.
 */
export function untracked(app: App, href: string): string | null {
  const { pathname } = new URL(href)
  const path = [clickPath, openPath].find((path) => pathname.startsWith(path))
  const tracked = path === undefined ? null : readTrackingToken(app.keyring, pathname.slice(path.length))
  return tracked ? tracked.url : href
}
