import { randomBytes } from 'node:crypto'

/** Whoever knows it may start the workflow: 192 bits, in characters that a URL takes as they are. */
export function newTriggerKey(): string {
  return randomBytes(24).toString('base64url')
}
