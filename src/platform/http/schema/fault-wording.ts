import type { ErrorObject } from 'ajv/dist/2020.js'
import { ExactNumber } from '../../numbers/exact-number.ts'
import { nameFault } from '../../text/name.ts'

/**
 * Describes a fault as a sentence that follows the path of the value. Requires errors of a validator with `verbose`.
 */
export function faultWording({ keyword, params, message, data }: ErrorObject): string {
  const words = wordings[keyword]
  return words ? words(params, data) : `is not valid: ${message ?? keyword}`
}

type Params = ErrorObject['params']

const wordings: Record<string, (params: Params, data: unknown) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field; check the spelling',
  type: ({ type }, data) => `must be ${kindsOf([type].flat())}; it was ${kindOf(data)}`,
  enum: ({ allowedValues }, data) => `must be one of ${allowedValues.map(String).join(', ')}; it was ${shown(data)}`,
  const: ({ allowedValue }, data) => `must be ${JSON.stringify(allowedValue)}; it was ${shown(data)}`,
  format: ({ format }, data) =>
    (format === 'name' && nameFault(String(data))) || `must be ${formats[format] ?? `of the format ${format}`}`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`),
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'element')}`),
  maxItems: ({ limit }) => `must have at most ${count(limit, 'element')}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'field')}`,
  minimum: ({ limit }, data) => `must be at least ${limit}; it was ${shown(data)}`,
  maximum: ({ limit }, data) => `must be at most ${limit}; it was ${shown(data)}`,
  uniqueItems: ({ i, j }) => `must not repeat an element; elements ${j} and ${i} are equal`,
  anyOf: () => 'has none of the forms that are allowed here',
}

const formats: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'an ISO 8601 time with a zone, such as 2026-01-31T09:30:00Z',
  email: 'an email address',
  uri: 'an absolute URL',
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

/** `a string, a number or null` */
function kindsOf(types: string[]): string {
  const words = types.map((type) => kinds[type] ?? type)
  const last = words.pop()!
  return words.length > 0 ? `${words.join(', ')} or ${last}` : last
}

/** Returns the type of a value of a wrong type, because the value may be long or secret. */
function kindOf(data: unknown): string {
  if (data === null) return 'null'
  if (Array.isArray(data)) return 'a list'
  if (data instanceof ExactNumber) return 'a number of more digits than are kept here'
  if (typeof data === 'number') return Number.isInteger(data) ? 'a number' : 'a number with a fraction'
  return kinds[typeof data] ?? typeof data
}

const shownMax = 50

/** Shows a value whose alternatives are public, since it is not secret. */
function shown(data: unknown): string {
  if (data instanceof ExactNumber) return String(data).slice(0, shownMax)
  const isShort = typeof data !== 'object' || data === null
  return isShort
    ? (JSON.stringify(typeof data === 'string' ? data.slice(0, shownMax) : data) ?? 'nothing')
    : kindOf(data)
}

function count(limit: number, noun: string): string {
  return `${limit.toLocaleString('en')} ${noun}${limit === 1 ? '' : 's'}`
}
