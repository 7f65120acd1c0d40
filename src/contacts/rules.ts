import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidFields } from '../platform/errors.ts'
import { isAddress } from '../platform/mail-address.ts'
import { isPhoneNumber, phoneNumberForm } from '../platform/phone-number.ts'

/** Ours: longer than any name, short enough for a line of a list. */
export const nameLengthMax = 200
const propertiesMaxBytes = 64 * 1024

/** Names go into subjects and from there into header lines. */
const controlCharacter = /\p{Cc}/u

export type GivenFields = {
  email?: unknown
  firstName?: unknown
  lastName?: unknown
  phoneNumber?: unknown
  unsubscribed?: unknown
  properties?: unknown
}

/** Everything that is wrong with the fields that are given; those left out are not asked for. */
export function faultsOf(given: GivenFields): FieldError[] {
  const faults: FieldError[] = []
  for (const path of Object.keys(given) as (keyof GivenFields)[]) {
    const message = given[path] === undefined ? null : checks[path](given[path])
    if (message !== null) faults.push({ path, message })
  }
  return faults
}

export function refuseFaults(given: GivenFields): void {
  const faults = faultsOf(given)
  if (faults.length > 0) throw invalidFields(faults)
}

/** In words that follow the field's name. */
const checks: Record<keyof GivenFields, (value: unknown) => string | null> = {
  email: (value) =>
    typeof value === 'string' && isAddress(value) ? null : 'must be one bare address, such as ada@example.com',
  firstName: nameFault,
  lastName: nameFault,
  phoneNumber: (value) =>
    isEmpty(value) || (typeof value === 'string' && isPhoneNumber(value)) ? null : `${phoneNumberForm}, or empty`,
  unsubscribed: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  properties: (value) =>
    Buffer.byteLength(JSON.stringify(value)) <= propertiesMaxBytes ? null : 'must be at most 64 KiB as JSON',
}

function nameFault(value: unknown): string | null {
  if (isEmpty(value)) return null
  if (typeof value !== 'string') return 'must be text'
  if (value.length > nameLengthMax && [...value].length > nameLengthMax)
    return `must be at most ${nameLengthMax} characters`
  return controlCharacter.test(value) ? 'must not hold line breaks or other control characters' : null
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null
}

export type ContactColumns = {
  first_name?: string | null
  last_name?: string | null
  phone_number?: string | null
  unsubscribed?: boolean
  properties?: Record<string, unknown>
}

/** The columns that fields without faults set: those left out stay as they are, an empty text clears. */
export function columnsOf({ firstName, lastName, phoneNumber, unsubscribed, properties }: GivenFields): ContactColumns {
  return {
    ...(firstName !== undefined && { first_name: (firstName as string | null) || null }),
    ...(lastName !== undefined && { last_name: (lastName as string | null) || null }),
    ...(phoneNumber !== undefined && { phone_number: (phoneNumber as string | null) || null }),
    ...(unsubscribed !== undefined && { unsubscribed: unsubscribed as boolean }),
    ...(properties !== undefined && { properties: properties as Record<string, unknown> }),
  }
}

/** Whether a contact would not be the same with these changes. */
export function differs(before: ContactColumns, changes: ContactColumns): boolean {
  return Object.entries(changes).some(
    ([name, value]) => !isDeepStrictEqual(before[name as keyof ContactColumns], value),
  )
}
