import { hash, randomBytes } from 'node:crypto'
import type { Keyring } from '../../platform/keys/keyring.ts'

const seedBytes = 16
/** Random bytes for many seeds at once, because an import makes thousands. */
const random = { bytes: Buffer.alloc(0), offset: 0 }

/** Makes 128 random bits, stored with a new contact. Its unsubscribe token is derived from them. */
export function newUnsubscribeSeed(): string {
  if (random.offset === random.bytes.length) {
    random.bytes = randomBytes(256 * seedBytes)
    random.offset = 0
  }
  random.offset += seedBytes
  return random.bytes.toString('base64url', random.offset - seedBytes, random.offset)
}

/** Derives the token in the links of emails. This needs APP_SECRET, so a copy of the database gives no valid token. */
export function unsubscribeTokenOf(keyring: Keyring, seed: string): string {
  return keyring.sign('unsubscribe', seed, 24).toString('base64url')
}

/** Computes the hash by which a token is looked up. */
export function unsubscribeHashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** True if a text has the form of a token. The form is public. */
export function isToken(text: string): boolean {
  return /^[\w-]{32}$/.test(text)
}
