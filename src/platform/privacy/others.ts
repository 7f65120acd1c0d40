import { ExactNumber } from '../numbers/exact-number.ts'
import { namesPerson } from './names-person.ts'
import type { Person } from './person.ts'

/** The text in an export in place of an address or a number that is not the person's. */
export const anotherRecipient = '[another recipient]'

/** Returns an address or number if it is the person's, and the text for others if not. Null stays null. */
export function shownAddress(address: string | null, person: Person): string | null {
  return address === null || isPersonsAddress(address, person) ? address : anotherRecipient
}

/** Returns the list with the text for others in place of their addresses. */
export function shownAddresses(addresses: string[] | null | undefined, person: Person): string[] | null {
  return addresses?.map((address) => shownAddress(address, person)!) ?? null
}

/**
 * Returns the person's addresses of a list that other recipients do not see, such as blind copies. Null if there are
 * none.
 */
export function ownAddresses(addresses: string[] | null | undefined, person: Person): string[] | null {
  const own = (addresses ?? []).filter((address) => isPersonsAddress(address, person))
  return own.length > 0 ? own : null
}

export function isPersonsAddress(address: string | null, person: Person): boolean {
  return namesPerson(address, 'address', person)
}

/**
 * Returns a JSON value in which the text for others takes the place of every address and number that is not the
 * person's.
 */
export function withoutOthers(value: unknown, person: Person): unknown {
  if (typeof value === 'string') return textWithoutOthers(value, person)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ExactNumber || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => withoutOthers(item, person))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [textWithoutOthers(name, person), withoutOthers(item, person)]),
  )
}

/** A mailbox with a name: the name is the other's too. Longer texts are no mailboxes, and would take long to read. */
const namedMailbox = /^[^<>]*<[^<>\s@]+@[^<>\s@]+>$/
const mailboxMax = 1000
/** An address, also percent-encoded, or a number in E.164. The lengths bound the time. */
const addressOrNumber =
  /[\p{L}\p{N}.!#$&'*+/=?^_`{|}~%-]{1,64}(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]{0,252}|(?<![\p{L}\p{N}_])(?:\+|%2B)[1-9]\d{6,14}(?!\d)/giu

export function textWithoutOthers(text: string, person: Person): string {
  if (text.length <= mailboxMax && namedMailbox.test(text)) return shownAddress(text, person)!
  return text.replace(addressOrNumber, (found) => (namesPerson(found, 'text', person) ? found : anotherRecipient))
}
