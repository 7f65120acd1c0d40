import { createHash } from 'node:crypto'

/**
 * The key under which the tag `name:value` is stored and looked up: 22 characters of base64url, as names and values may be longer
 * than what an index holds. The migration 0034 makes it in the same way.
 */
export function tagKey(tag: string): string {
  return createHash('sha256').update(tag).digest().subarray(0, 16).toString('base64url')
}
