import { type VariableName, variableNames } from '../../contacts/fields.ts'
import type { Values } from '../../emails/of-broadcasts/compile.ts'
import { ExactNumber } from '../../platform/numbers/exact-number.ts'

/** Ours, in characters. Each email keeps its values, and longer ones are of little use in a text. */
const valueMax = 10_000

/** The part of a contact that a broadcast can name. */
export type ContactValues = Record<VariableName, string | null> & {
  email: string | null
  properties: Record<string, unknown> | null
}

/** The values of an address that is no contact. */
export function valuesOfNobody(email: string | null): ContactValues {
  const texts = Object.fromEntries(variableNames.map((name) => [name, null])) as Record<VariableName, null>
  return { email, ...texts, properties: null }
}

/** Returns the contact's present values for these names. `unsubscribeUrl` is made when the email is rendered. */
export function valuesOf(recipient: ContactValues, names: Iterable<string>): Values {
  const values: Values = {}
  for (const name of names) {
    const value = fieldOf(recipient, name)
    if (value !== '') values[name] = value.slice(0, valueMax).toWellFormed()
  }
  return values
}

/** True if any of the names is a property of the contact. */
export function needsProperties(names: Iterable<string>): boolean {
  return [...names].some((name) => name.startsWith('properties.'))
}

const fields = ['email', ...variableNames] as const

function fieldOf(recipient: ContactValues, name: string): string {
  const field = fields.find((field) => field === name)
  if (field) return recipient[field] ?? ''
  if (!name.startsWith('properties.')) return ''
  return textOf(findProperty(recipient.properties, name.slice('properties.'.length)))
}

/**
 * Finds a property: `a.b` is the property of that name, or else `b` inside of `a`. Inherited members are not
 * properties.
 */
function findProperty(properties: unknown, path: string): unknown {
  const whole = ownMember(properties, path)
  return whole !== undefined ? whole : path.split('.').reduce(ownMember, properties)
}

function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** Renders lists and objects as an empty text. */
function textOf(value: unknown): string {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber
  return isPlain ? String(value) : ''
}
