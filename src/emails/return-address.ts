import { timingSafeEqual } from 'node:crypto'
import { idTimeMs, uuidOfHex } from '../platform/ids.ts'
import type { Keyring } from '../platform/keys/keyring.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'

/** One recipient of an email: `recipient` is the position among the addresses of to, cc and bcc together. */
type Recipient = { emailId: string; recipient: number; returnPath: string }

/**
 * `recipient` is null for an address of an earlier release, which names only the email and is valid if it has one
 * recipient.
 */
export type ReturnedRecipient = Omit<Recipient, 'recipient'> & { recipient: number | null }

/**
 * Makes the envelope sender for one recipient of an email, to which bounces for that recipient are sent. It is signed,
 * because anyone may write to it, and one recipient must not be able to make the address of another. It is valid for 14
 * days from `at`.
 */
export function returnAddress(keyring: Keyring, { emailId, recipient, returnPath }: Recipient, at: Date): string {
  const id = hexOf(emailId)
  const stamp = `${base32Number(recipient, recipientDigits)}${base32Number(Math.floor(at.getTime() / hourMs), hourDigits)}`
  return `${prefix}${id}.${stamp}${signaturesOf(keyring, id, stamp, returnPath)[0]!}@${returnPath}`
}

/** Makes the envelope sender of a transaction with several recipients. Mail that comes back to it is ignored. */
export function unsignedReturnAddress(emailId: string, returnPath: string): string {
  return `${prefix}${hexOf(emailId)}@${returnPath}`
}

/** Reads a return address. Null for an address that `returnAddress` did not make, or made more than 14 days ago. */
export function readReturnAddress(keyring: Keyring, address: string, now: Date): ReturnedRecipient | null {
  // RFC 5321 (2.4) forbids changing a local part on the way, and some servers lower-case it nevertheless.
  const [, id, stamp, signature, returnPath] = form.exec(normalizeAddress(address)) ?? []
  if (!id || stamp === undefined || !signature || !returnPath) return null
  const given = Buffer.from(signature)
  if (!signaturesOf(keyring, id, stamp, returnPath).some((expected) => timingSafeEqual(Buffer.from(expected), given)))
    return null
  // An address without a stamp is as old as the email.
  const madeMs = stamp === '' ? idTimeMs(uuidOfHex(id)) : numberOf(stamp.slice(recipientDigits)) * hourMs
  if (now.getTime() - madeMs > returnAddressValidMs) return null
  const recipient = stamp === '' ? null : numberOf(stamp.slice(0, recipientDigits))
  return { emailId: uuidOfHex(id), recipient, returnPath }
}

/**
 * Removes the secret part of every return address in a text. Other servers quote the envelope sender in their
 * replies and reports, and knowing the address is enough to report a bounce for its recipient.
 */
export function withoutReturnAddresses(text: string): string {
  return text.includes('+') ? text.replace(told, '$1') : text
}

const prefix = 'bounce+'
/** The local part has 62 of the 64 octets that RFC 5321 (4.5.3.1.1) allows, so the signature has only 80 bits. */
const form = /^bounce\+([0-9a-f]{32})\.((?:[a-z2-7]{6})?)([a-z2-7]{16})@([a-z0-9.-]{1,255})$/
const told = /(bounce\+[0-9a-f]{32})\.[a-z2-7]{16,22}/gi
const signatureBytes = 10
/** Two digits of base 32 number 1024 recipients, four number hours until the year 2089. */
const recipientDigits = 2
const hourDigits = 4

const hourMs = 3_600_000
/** Servers give up after 5 days (RFC 5321 4.5.4.1), and complaints seldom come later than a week. */
export const returnAddressValidMs = 14 * 24 * hourMs

function hexOf(emailId: string): string {
  return emailId.replaceAll('-', '').toLowerCase()
}

/** Makes one signature for each secret, newest first. */
function signaturesOf(keyring: Keyring, id: string, stamp: string, returnPath: string): string[] {
  const signed = `${id}${stamp && `.${stamp}`}@${returnPath.toLowerCase()}`
  return keyring.signatures('return-path', signed, signatureBytes).map(base32)
}

/** The digits of RFC 4648 in lower case, because some servers change addresses to lower case. */
const digits = 'abcdefghijklmnopqrstuvwxyz234567'

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => digits[Number.parseInt(five, 2)]).join('')
}

function base32Number(value: number, length: number): string {
  return Array.from({ length }, (_, at) => digits[Math.floor(value / 32 ** (length - 1 - at)) % 32]).join('')
}

function numberOf(text: string): number {
  return [...text].reduce((value, digit) => value * 32 + digits.indexOf(digit), 0)
}
