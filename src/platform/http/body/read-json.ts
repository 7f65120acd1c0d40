import { invalid } from '../../errors.ts'
import { ExactNumber, exactFault, parseAllExactly } from '../../numbers/exact-number.ts'
import { refuseExcess } from './scan-json.ts'

/** The most members and elements of a body, unless a route allows more. */
export const membersMaxUsual = 10_000

/** Our forms have a handful of fields, Twilio's callbacks some dozens. */
const formFieldsMax = 200

/**
 * Parses a JSON body, in UTF-8 if given as bytes. Refuses nesting past 32, more than `membersMax` members and elements,
 * `__proto__` keys, numbers of more than 1,000 digits, and text that PostgreSQL cannot store (NUL, lone surrogates). A
 * number that a double does not hold becomes an `ExactNumber`.
 */
export function readJson(body: Buffer | string, membersMax = membersMaxUsual): unknown {
  const found = refuseExcess(typeof body === 'string' ? Buffer.from(body) : body, membersMax)
  return parseJson(typeof body === 'string' ? body : textOf(body), found)
}

/** Parses a body that `refuseExcess` accepted. The second half of `readJson`. */
export function parseJson(body: string, { mayHoldExact }: { mayHoldExact: boolean }): unknown {
  let value: unknown
  try {
    value = mayHoldExact ? parseAllExactly(body) : JSON.parse(body)
  } catch (error) {
    throw invalid('body', `is not valid JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  const fault = findUnstorable(value)
  if (fault) throw invalid(fault.path.replace(/^\./, '') || 'body', fault.message)
  return value
}

/** Decodes UTF-8. Ignores a byte order mark, as RFC 8259, 8.1 allows. */
export function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

/** Reads a form under the same rules. Each field may occur once. */
export function readForm(body: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of readFields(body)) {
    refuseText(name, 'body')
    refuseText(value, name)
    if (name in fields) throw invalid(name, 'is given more than once')
    fields[name] = value
  }
  return fields
}

/** Reads a form under the same rules. A name that is repeated has the list of its values. */
export function readRepeatingForm(body: string, fieldsMax: number): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of readFields(body, fieldsMax)) {
    const fault = nameFault(name)
    if (fault) throw invalid('body', `has a field whose name ${fault.message}`)
    refuseText(value, name)
    if ((name + value).includes(replacement) && !writesReplacement.test(body))
      throw invalid(name.slice(0, 200), 'is not percent-encoded UTF-8')
    const before = fields.get(name)
    if (Array.isArray(before)) before.push(value)
    else fields.set(name, before === undefined ? value : [before, value])
  }
  return Object.fromEntries(fields)
}

/** Stands for bytes that are not UTF-8, unless it was written itself. */
const replacement = '\ufffd'
const writesReplacement = /\ufffd|%EF%BF%BD/i

/** Reads the fields of a form, 200 at most unless more are allowed. They are counted before they are read. */
export function readFields(form: string, fieldsMax = formFieldsMax): URLSearchParams {
  if (form.split('&', fieldsMax + 1).length > fieldsMax)
    throw invalid('body', `has too many fields: at most ${fieldsMax} are allowed in a form`)
  return new URLSearchParams(form)
}

type Fault = { path: string; message: string }

/** Finds what PostgreSQL cannot store. Depth and members were limited before. Builds a path only for a fault. */
function findUnstorable(value: unknown): Fault | null {
  if (typeof value === 'string') return textFault(value)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = findUnstorable(value[index])
      if (fault) return { ...fault, path: `[${index}]${fault.path}` }
    }
  } else if (value instanceof ExactNumber) {
    const message = exactFault(value)
    return message === null ? null : { path: '', message }
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      const fault = nameFault(name) ?? findUnstorable((value as Record<string, unknown>)[name])
      if (fault) return { ...fault, path: `.${name.toWellFormed().replaceAll('\0', '').slice(0, 200)}${fault.path}` }
    }
  }
  return null
}

function nameFault(name: string): Fault | null {
  return name === '__proto__' ? { path: '', message: 'is not a name that can be used' } : textFault(name)
}

function textFault(text: string): Fault | null {
  if (text.includes('\0')) return { path: '', message: 'must not hold the NUL character' }
  if (!text.isWellFormed()) return { path: '', message: 'must not hold a lone surrogate' }
  return null
}

/** Refuses such text in query strings, path parameters and forms. */
export function refuseText(text: string, path: string): void {
  const fault = textFault(text)
  if (fault) throw invalid(path, fault.message)
}
