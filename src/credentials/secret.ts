import { type FieldError, invalidFields } from '../platform/errors.ts'
import type { Keyring } from '../platform/keys/keyring.ts'
import type { SealedColumn } from '../platform/sealed/column.ts'
import type { NewCredential } from './schema.ts'
import type { CredentialType } from './table.ts'

export type CredentialSecret =
  | { type: 'bearer'; secret: { token: string } }
  | { type: 'basic'; secret: { username: string; password: string } }
  | { type: 'header'; secret: { value: string } }

const sealPurpose = 'credential'

export const sealedColumns: SealedColumn[] = [{ table: 'credentials', column: 'secret', purpose: sealPurpose }]

const partsOf = {
  bearer: ['token'],
  basic: ['username', 'password'],
  header: ['value'],
} as const satisfies Record<CredentialType, string[]>

/** Throws `invalid` with all faults of a secret. The message does not repeat the secret. */
export function refuseSecret({ type, secret }: NewCredential): void {
  const faults: FieldError[] = []
  const parts: readonly string[] = partsOf[type]
  const refuse = (part: string, message: string) => faults.push({ path: `secret.${part}`, message })
  for (const part of parts) if (!(part in secret)) refuse(part, `is required for the type ${type}`)
  for (const [part, text] of Object.entries(secret)) {
    const fault = parts.includes(part) ? faultOf(part, text) : `does not belong to the type ${type}: leave it out`
    if (fault) refuse(part, fault)
  }
  if (faults.length > 0) throw invalidFields(faults)
}

function faultOf(part: string, text: string): string | null {
  if (text === '' && part !== 'password') return 'must not be empty'
  // Sent in base64, which allows any character (RFC 7617, section 2).
  if (part === 'username' || part === 'password') {
    if (/\p{Cc}/u.test(text)) return 'must not hold control characters'
    return part === 'username' && text.includes(':') ? 'must not hold a colon' : null
  }
  // RFC 9110, section 5.5: the characters of a header value. Blanks around it would be lost.
  return /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(text)
    ? null
    : 'must be one line of ASCII characters without blanks around it'
}

export function sealSecret(keyring: Keyring, id: string, secret: NewCredential['secret']): string {
  return keyring.encrypt(sealPurpose, JSON.stringify(secret), id)
}

type SealedCredential = { id: string; type: CredentialType; sealed: string }

export function openSecret(keyring: Keyring, { id, type, sealed }: SealedCredential): CredentialSecret {
  return { type, secret: JSON.parse(keyring.decrypt(sealPurpose, sealed, id)) } as CredentialSecret
}
