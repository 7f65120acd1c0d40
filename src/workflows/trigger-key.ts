import { randomBytes } from 'node:crypto'

/** Makes the secret part of a trigger URL: 192 random bits, in characters that need no escaping in a URL. */
export function newTriggerKey(): string {
  return randomBytes(24).toString('base64url')
}
