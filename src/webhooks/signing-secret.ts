import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Keyring } from '../platform/keys/keyring.ts'
import type { SealedColumn } from '../platform/sealed/column.ts'

const sealPurpose = 'webhook'

export const sealedColumns: SealedColumn[] = ['signing_secret', 'previous_signing_secret'].map((column) => ({
  table: 'webhooks',
  column,
  purpose: sealPurpose,
}))

/** Generates the secret with which a receiver verifies. It is shown once. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealSecret(keyring: Keyring, webhookId: string, secret: string): string {
  return keyring.encrypt(sealPurpose, secret, webhookId)
}

/** `own` is the whole text of the secret, prefix included; `standard` the bytes that are written behind the prefix. */
export type SigningKey = { own: KeyObject; standard: KeyObject }

export function openSigningKey(keyring: Keyring, webhookId: string, sealed: string): SigningKey {
  return signingKeyOf(keyring.decrypt(sealPurpose, sealed, webhookId))
}

export function signingKeyOf(secret: string): SigningKey {
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return { own: createSecretKey(Buffer.from(secret, 'utf8')), standard: createSecretKey(bytes) }
}
