import { createHash } from 'node:crypto'

/**
 * Makes the key under which the tag `name:value` is stored and looked up: 22 characters of base64url, because names and
 * values may be too long for an index. Migration 0034 makes it in the same way.
 */
export function tagKey(tag: string): string {
  return createHash('sha256').update(tag).digest().subarray(0, 16).toString('base64url')
}
