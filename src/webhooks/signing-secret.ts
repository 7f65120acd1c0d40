import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Keyring } from '../platform/keyring.ts'
import type { SealedColumn } from '../platform/sealed/column.ts'

const sealPurpose = 'webhook'

export const sealedColumns: SealedColumn[] = ['signing_secret', 'previous_signing_secret'].map((column) => ({
  ...{ table: 'webhooks', column, purpose: sealPurpose },
}))

/** What a receiver verifies with; shown once. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** As it is stored with the webhook of this id. */
export function sealSecret(keyring: Keyring, webhookId: string, secret: string): string {
  return keyring.encrypt(sealPurpose, secret, webhookId)
}

/** The HMAC key is the whole text, prefix included. */
export function openSigningKey(keyring: Keyring, webhookId: string, sealed: string): KeyObject {
  return createSecretKey(Buffer.from(keyring.decrypt(sealPurpose, sealed, webhookId), 'utf8'))
}
