import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { App } from '../../context.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'
import type { SealedColumn } from '../../platform/sealed/column.ts'

const sealPurpose = 'dkim'

/** Both columns have the same purpose, because a key moves from the second to the first when its record is in DNS. */
export const sealedColumns: SealedColumn[] = ['dkim_private_key', 'dkim_next_private_key'].map((column) => ({
  table: 'domains',
  column,
  purpose: sealPurpose,
}))

/** The most keys that are kept, a few kilobytes each. With more active domains, keys are decrypted again. */
const keysMax = 2000

/** Keys by id and encrypted form, so that a changed key is a new entry. */
const openedOf = perApp(() => createLru<KeyObject>({ countMax: keysMax }))

/**
 * Returns the key that signs a domain's mail. It is kept decrypted, since decrypting and parsing it costs as much as
 * signing.
 */
export function signingKeyOf(app: App, domain: { id: string; dkimPrivateKey: string }): KeyObject {
  const name = `${domain.id} ${domain.dkimPrivateKey}`
  const opened = openedOf(app)
  const key = opened.get(name) ?? createPrivateKey(app.keyring.decrypt(sealPurpose, domain.dkimPrivateKey, domain.id))
  opened.set(name, key)
  return key
}

export function sealSigningKey(keyring: Keyring, domainId: string, privateKey: string): string {
  return keyring.encrypt(sealPurpose, privateKey, domainId)
}
