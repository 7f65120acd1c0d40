import type { GivenEmail } from '../emails/messages/accept/parse.ts'
import { invalid } from '../platform/errors.ts'
import { ExactNumber } from '../platform/numbers/exact-number.ts'

type Variables = NonNullable<GivenEmail['templateVariables']>

/**
 * Returns the id of our template. SendGrid's client passes the data of a template on only if its id begins with `d-`,
 * and its ids have no hyphens otherwise.
 */
export function readTemplateId(given: string): string {
  const hex = given.replace(/^d-/, '').replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : given
}

/** The data of a template by dotted names, as `{{user.name}}` looks them up. Throws `invalid` for lists. */
export function templateVariables(data: Record<string, unknown>, path: string, prefix = ''): Variables {
  const variables: Variables = {}
  for (const [name, value] of Object.entries(data)) {
    const at = `${path}.${name.slice(0, 80)}`
    if (Array.isArray(value)) {
      throw invalid(at, 'must not be a list, because templates have no loops: make the HTML yourself, and give content')
    }
    if (isObject(value)) Object.assign(variables, templateVariables(value, at, `${prefix}${name}.`))
    else variables[`${prefix}${name}`] = value as Variables[string]
  }
  return variables
}

/** A number that a double does not hold is an object too. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}
