import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../platform/keyring.ts'

const count = 10
/** Thirty-two of them: no 0, 1, l or o, which people misread. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'

/** Ten codes such as `k7fm-2x9p-w4bt`, 60 random bits each. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: count }, generateCode)
}

function generateCode(): string {
  const letters = Array.from(randomBytes(12), (byte) => alphabet[byte % alphabet.length])
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].map((group) => group.join('')).join('-')
}

/** Keyed, since 60 bits are within reach of whoever steals the rows alone. However the code is typed. */
export function hashRecoveryCode(keyring: Keyring, userId: string, code: string): Buffer {
  return keyring.sign('recovery-code', `${userId}\n${code.toLowerCase().replace(/[\s-]/g, '')}`)
}
