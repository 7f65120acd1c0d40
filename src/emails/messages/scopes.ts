import { createHash } from 'node:crypto'

/** The things that an email belongs to besides its team and domain. Figures over time are kept for each of them too. */
type EmailOrigin = {
  tags: Record<string, unknown> | null
  broadcastId?: string | undefined
  workflowId?: string | undefined
}

/** Returns the scopes of an email as UUIDs, each once; null if there are none. Migration 0047 says what a scope is. */
export function scopesOf({ tags, broadcastId, workflowId }: EmailOrigin): string[] | null {
  const ofTags = Object.entries(tags ?? {}).map(([name, value]) => tagScope(`${name}:${value}`))
  const scopes = [broadcastId, workflowId, ...ofTags].filter((scope) => scope !== undefined)
  // In one order, so that emails of the same scopes share a change.
  return scopes.length === 0 ? null : [...new Set(scopes)].sort()
}

/** Returns the scope of the tag `name:value`: the first 16 bytes of its SHA-256, written as a UUID. */
export function tagScope(tag: string): string {
  const hash = createHash('sha256').update(tag).digest('hex')
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Makes the key under which the tag `name:value` is stored and looked up: 22 characters of base64url, because names and
 * values may be too long for an index. Migration 0034 makes it in the same way.
 */
export function tagKey(tag: string): string {
  return createHash('sha256').update(tag).digest().subarray(0, 16).toString('base64url')
}
