import { createHash, randomBytes } from 'node:crypto'
import type { Mode } from '../platform/mode/mode.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const lengthRandom = 40

/** Generates a key: `ph_`, for test keys `ph_test_`, and 40 random base62 characters (238 bits). */
export function generateKey(mode: Mode = 'live'): string {
  let text = ''
  while (text.length < lengthRandom) {
    // 248 is the largest multiple of 62 in a byte. Larger values would favour the first characters.
    for (const byte of randomBytes(64)) if (byte < 248 && text.length < lengthRandom) text += alphabet[byte % 62]
  }
  return `${prefixes[mode]}${text}`
}

/** Hashes a key with one SHA-256, which is enough for a value of 238 random bits. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

const prefixes: Record<Mode, string> = { live: 'ph_', test: 'ph_test_' }

/** Returns what is shown of a key: what all keys of its mode begin with, and seven more characters. */
export function keyPrefixOf(key: string, mode: Mode): string {
  return key.slice(0, prefixes[mode].length + 7)
}
