import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidFields } from '../platform/errors.ts'
import { countDigits } from '../platform/numbers/decimal.ts'
import { ExactNumber } from '../platform/numbers/exact-number.ts'
import { isAddress } from '../platform/text/mail-address.ts'
import { eachText, type TextColumn, type TextName, textFields, textNames } from './fields.ts'

export const propertiesMaxBytes = 64 * 1024

export type GivenFields = Partial<Record<TextName | 'email' | 'unsubscribed' | 'properties', unknown>>

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

/** Each returns the end of a sentence that begins with the field's name, or null. */
const checks: Record<keyof GivenFields, (value: unknown) => string | null> = {
  email: (value) =>
    typeof value === 'string' && isAddress(value) ? null : 'must be one bare address, such as ada@example.com',
  ...eachText((_name, { fault }) => (value) => {
    if (value === '' || value === null) return null
    return typeof value === 'string' ? fault(value) : 'must be text'
  }),
  unsubscribed: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  properties: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
    if (value instanceof ExactNumber) return 'must be an object'
    return sizeOf(value) <= propertiesMaxBytes ? null : 'must be at most 64 KiB as JSON'
  },
}

/** Counts the bytes of JSON with all numbers written out, as the database writes them. */
function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value)) + digitsAdded(value)
}

function digitsAdded(value: unknown): number {
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const text = String(value)
    return Math.max(0, countDigits(text) - text.length)
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, part) => sum + digitsAdded(part), 0)
}

export type TextColumns = Record<TextColumn, string | null>
export type ContactColumns = Partial<TextColumns> & { unsubscribed?: boolean; properties?: Record<string, unknown> }

/** Returns the columns that these fields set. Expects fields without faults. An empty text clears its column. */
export function columnsOf(given: GivenFields): ContactColumns {
  const { unsubscribed, properties } = given
  const texts = textNames.filter((name) => given[name] !== undefined)
  return {
    ...Object.fromEntries(texts.map((name) => [textFields[name].column, given[name] || null])),
    ...(unsubscribed !== undefined && { unsubscribed: unsubscribed as boolean }),
    ...(properties !== undefined && { properties: properties as Record<string, unknown> }),
  }
}

/** True if one of the changes gives a column another value. */
export function differs(before: ContactColumns, changes: ContactColumns): boolean {
  return Object.entries(changes).some(
    ([name, value]) => !isDeepStrictEqual(before[name as keyof ContactColumns], value),
  )
}
