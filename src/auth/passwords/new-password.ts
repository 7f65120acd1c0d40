import { randomBytes } from 'node:crypto'

/** Returns a password of 72 random bits, which fits on a line and is typed once. */
export function newPassword(): string {
  return randomBytes(9).toString('base64url')
}
