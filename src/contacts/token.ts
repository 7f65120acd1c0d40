import { hash, randomBytes } from 'node:crypto'
import type { Keyring } from '../platform/keyring.ts'

const seedBytes = 16
/** Random bytes for many seeds: an import makes thousands. */
const random = { bytes: Buffer.alloc(0), offset: 0 }

/** 128 random bits, stored with a contact when it is made. Its unsubscribe token is derived from them. */
export function newUnsubscribeSeed(): string {
  if (random.offset === random.bytes.length) {
    random.bytes = randomBytes(256 * seedBytes)
    random.offset = 0
  }
  random.offset += seedBytes
  return random.bytes.toString('base64url', random.offset - seedBytes, random.offset)
}

/** The token in the links of emails. It needs APP_SECRET too, so a copy of the database gives no token that works. */
export function unsubscribeTokenOf(keyring: Keyring, seed: string): string {
  return keyring.sign('unsubscribe', seed, 24).toString('base64url')
}

/** The hash by which a token is found. */
export function unsubscribeHashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** True for a text of the form of a token. The form is public. */
export function isToken(text: string): boolean {
  return /^[\w-]{32}$/.test(text)
}
