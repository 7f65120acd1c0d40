import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyError, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { FieldError } from '../../errors.ts'
import { ExactNumber } from '../../numbers/exact-number.ts'
import { nameFault } from '../../text/name.ts'
import { checkExactly } from './check-exactly.ts'
import { faultWording } from './fault-wording.ts'
import { addIds, withIdsInLowerCase } from './ids.ts'
import { addTextLengths } from './text-length.ts'

/**
 * Bodies are validated as they are: nothing is coerced or dropped. Numbers are read from the text of a query string.
 */
const bodies = validator({ coerceTypes: false, allErrors: false })
const bodiesInFull = validator({ coerceTypes: false, allErrors: true })
const queries = validator({ coerceTypes: true, allErrors: true })

type Compile = (schema: object) => ValidateFunction

function validator(options: { coerceTypes: boolean; allErrors: boolean }): Compile {
  // A test validates our schemas: to compile the schema of schemas would delay the first request.
  const unchecked = { strict: false, validateSchema: false }
  const ajv = new Ajv2020({ ...options, ...unchecked, useDefaults: true, removeAdditional: false, verbose: true })
  addFormats.default(ajv, { mode: 'full', formats: ['email', 'uri'] })
  addIds(ajv)
  ajv.addFormat('date-time', { type: 'string', validate: isTime })
  // An empty one has a fault of its own, by its length.
  ajv.addFormat('name', { type: 'string', validate: (text) => text === '' || nameFault(text) === null })
  addTextLengths(ajv)
  // Shared by all apps of a process.
  const compiled = new WeakMap<object, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema) ?? ajv.compile(withIdsInLowerCase(schema))
    compiled.set(schema, known)
    return known
  }
}

/**
 * Tells whether a text is ISO 8601 with a zone and a time that exists, unlike the 30th of February or a leap second.
 * Its year has four digits in UTC too, so that an answer can write it.
 */
export function isTime(text: string): boolean {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i
  return form.test(text) && isDay(text.slice(0, 10)) && hasFourDigits(Date.parse(text))
}

function hasFourDigits(ms: number): boolean {
  return !Number.isNaN(ms) && /^\d{4}-/.test(new Date(ms).toISOString())
}

/** Tells whether a day exists. JavaScript reads the 30th of February as the 1st of March. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** Compiles a validator at its first use, so that the start does not wait for validators of unused routes. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const check = lazy(httpPart === 'body' ? bodies : queries, schema)
  const checkInFull = lazy(bodiesInFull, schema)
  return (value: unknown) => {
    const faults = checkExactly(value, check)
    if (!faults) return true
    const inFull = httpPart === 'body' && !isLarge(value) ? checkExactly(value, checkInFull) : faults
    return { error: (inFull ?? faults) as unknown as FastifySchemaValidationError[] }
  }
}

function lazy(compile: Compile, schema: object): (value: unknown) => ErrorObject[] | null {
  return (value) => {
    const validate = compile(schema)
    return validate(value) ? null : (validate.errors ?? [])
  }
}

/** All faults of a body are named at once, up to a limit: a million faults would exhaust the memory. */
const valuesMax = 2000

function isLarge(body: unknown): boolean {
  const rest = [body]
  for (let seen = 0; rest.length > 0; seen++) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    const inside = Object.values(value)
    if (seen + rest.length + inside.length > valuesMax) return true
    rest.push(...inside)
  }
  return false
}

const errorsMax = 50

/** Returns the validator's faults with the caller's paths, such as `emails[3].to`, fifty at most. */
export function fieldErrors(error: FastifyError): FieldError[] {
  return inWords((error.validation ?? []) as unknown as ErrorObject[]).map((fault) =>
    fault.path === '' ? { ...fault, path: error.validationContext ?? 'body' } : fault,
  )
}

/** Returns a function that finds the faults of a value. Paths begin at the value; defaults are not filled in. */
export function faultFinder(schema: object): (value: unknown) => FieldError[] {
  const check = lazy(bodies, schema)
  const checkInFull = lazy(bodiesInFull, schema)
  return (value) => {
    const faults = checkExactly(copyOf(value), check)
    if (!faults) return []
    return inWords((isLarge(value) ? null : checkExactly(copyOf(value), checkInFull)) ?? faults)
  }
}

/** Copies JSON. The validator fills in defaults. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]))
}

function inWords(found: ErrorObject[]): FieldError[] {
  // A failed alternative also reports "must match a schema in anyOf"; its specific fault is clearer.
  const particular = found.filter((fault) => fault.keyword !== 'anyOf' && fault.keyword !== 'if')
  return joinTypes(withoutOtherTypes(particular.length > 0 ? particular : found))
    .slice(0, errorsMax)
    .map(fieldError)
}

/**
 * Leaves out the faults of alternatives of another type, where one of the type of the value got further: a list that is
 * too long need not be a string.
 */
function withoutOtherTypes(found: ErrorObject[]): ErrorObject[] {
  const furthest = new Set(
    found.flatMap(({ keyword, instancePath: path }) => [
      ...(keyword === 'type' ? [] : [path]),
      ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
    ]),
  )
  return found.filter(({ keyword, instancePath }) => keyword !== 'type' || !furthest.has(instancePath))
}

/** Joins alternatives of different types into one fault: `must be a string or null`. */
function joinTypes(found: ErrorObject[]): ErrorObject[] {
  const byPath = Map.groupBy(found, ({ keyword, instancePath }) => (keyword === 'type' ? instancePath : null))
  return found.flatMap((fault) => {
    const alike = fault.keyword === 'type' ? byPath.get(fault.instancePath)! : [fault]
    if (alike[0] !== fault) return []
    const type = [...new Set(alike.flatMap(({ params }) => params.type))]
    return fault.keyword === 'type' ? { ...fault, params: { type } } : fault
  })
}

function fieldError(fault: ErrorObject): FieldError {
  const at = fault.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (fault.keyword === 'required') at.push(fault.params.missingProperty)
  if (fault.keyword === 'additionalProperties') at.push(fault.params.additionalProperty)
  const path = at.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return { path: path.replace(/^\./, '').slice(0, 200), message: faultWording(fault) }
}
