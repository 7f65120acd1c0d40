import type { Keyring } from '../keys/keyring.ts'
import { addressForms } from '../text/mail-address.ts'
import { numberForms } from '../text/phone-number.ts'
import { entityNameOf } from './readings.ts'

/** The person of a request: addresses and numbers in every form that rows may hold, in lower case. */
export type Person = { texts: string[] }

/** The text in place of an address that was erased. */
export const erased = 'erased'

/**
 * Makes a person of bare addresses, whose domain is found in Unicode and in punycode, and of numbers in E.164, which
 * are found in all of their forms.
 */
export function personOf(addresses: string[], numbers: string[]): Person {
  const numberTexts = numbers.flatMap(numberForms).map((text) => text.toLowerCase())
  return { texts: [...new Set([...addresses.flatMap(addressForms), ...numberTexts])] }
}

/**
 * Returns a regular expression for PostgreSQL (`~*`) that matches every text in which `namesPerson` finds the person,
 * also percent-encoded, as JSON and as HTML. It matches texts of others too: `namesPerson` decides.
 */
export function candidatePattern({ texts }: Person): string {
  return texts.map((text) => [...text].map(candidateLetter).join('')).join('|')
}

function candidateLetter(letter: string): string {
  if (/^[a-z0-9-]$/.test(letter)) return letter
  const code = letter.codePointAt(0)!
  const octets = [...Buffer.from(letter)].map((octet) => `%(25)*${octet.toString(16)}`)
  const name = entityNameOf(letter)
  const entity = name ? `|&${name};` : ''
  const jsonEscape = code <= 0xffff ? `|\\\\u${code.toString(16).padStart(4, '0')}` : ''
  const itself = /[\p{L}\p{N}\p{M}]/u.test(letter) ? letter : `\\${letter}`
  return `(?:${itself}|${octets.join('')}|&#0*${code};|&#x0*${code.toString(16)};${entity}${jsonEscape})`
}

/** Returns the keyed hash by which an erased address or number is known again. `text` is normalized. */
export function erasedForm(keyring: Keyring, text: string): string {
  return `${erased}:${keyring.sign(erased, text, 24).toString('base64url')}`
}
