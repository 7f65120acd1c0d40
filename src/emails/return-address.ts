import { timingSafeEqual } from 'node:crypto'
import { uuidOfHex } from '../platform/ids.ts'
import type { Keyring } from '../platform/keyring.ts'
import { normalizeAddress } from '../platform/mail-address.ts'

/**
 * The envelope sender of an email, to which what became of it later comes back. It is signed, for anybody may write to it:
 * who has not seen one cannot make one, and the signature of one email, or of one domain, is worth nothing to another.
 */
export function returnAddress(keyring: Keyring, emailId: string, returnPath: string): string {
  const id = emailId.replaceAll('-', '').toLowerCase()
  return `${prefix}${id}.${base32(signatureOf(keyring, id, returnPath))}@${returnPath}`
}

/** Which email an address that mail came back to names. Null for everything that `returnAddress` did not make. */
export function readReturnAddress(keyring: Keyring, address: string): { emailId: string; returnPath: string } | null {
  // RFC 5321 (2.4) lets nobody change a local part on the way, and servers lower-case it nevertheless.
  const [, id, signature, returnPath] = form.exec(normalizeAddress(address)) ?? []
  if (!id || !signature || !returnPath) return null
  const expected = base32(signatureOf(keyring, id, returnPath))
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null
  return { emailId: uuidOfHex(id), returnPath }
}

const prefix = 'bounce+'
/** A local part of 56 octets of the 64 that RFC 5321 (4.5.3.1.1) allows, which is why the signature has 80 bits. */
const form = /^bounce\+([0-9a-f]{32})\.([a-z2-7]{16})@([a-z0-9.-]{1,255})$/
const signatureBytes = 10

function signatureOf(keyring: Keyring, id: string, returnPath: string): Buffer {
  return keyring.sign('return-path', `${id}@${returnPath.toLowerCase()}`, signatureBytes)
}

/** RFC 4648, in the case that survives lower-casing. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)])
    .join('')
}
