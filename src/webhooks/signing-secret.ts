import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Keyring } from '../platform/keyring.ts'

const sealPurpose = 'webhook'

/** What a receiver verifies with; shown once. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealSecret(keyring: Keyring, secret: string): string {
  return keyring.encrypt(sealPurpose, secret)
}

/** The HMAC key is the whole text, prefix included. */
export function openSigningKey(keyring: Keyring, sealed: string): KeyObject {
  return createSecretKey(Buffer.from(keyring.decrypt(sealPurpose, sealed), 'utf8'))
}
