import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../platform/keys/keyring.ts'

const count = 10
/** 32 characters, without 0, 1, l and o, which people misread. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'

/** Ten codes such as `k7fm-2x9p-w4bt`, 60 random bits each. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: count }, generateCode)
}

function generateCode(): string {
  const letters = Array.from(randomBytes(12), (byte) => alphabet[byte % alphabet.length])
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].map((group) => group.join('')).join('-')
}

/**
 * Hashes a code with a key, because 60 bits can be searched if only the rows are stolen. Ignores case and separators.
 */
export function hashRecoveryCode(keyring: Keyring, userId: string, code: string): Buffer {
  return keyring.sign('recovery-code', `${userId}\n${code.toLowerCase().replace(/[\s-]/g, '')}`)
}
