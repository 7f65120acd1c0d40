import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyError, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { FieldError } from '../errors.ts'

/** Bodies are taken as they are: nothing coerced, nothing dropped. A query string has only text, so numbers are read from it. */
const bodies = validator({ coerceTypes: false, allErrors: false })
const bodiesInFull = validator({ coerceTypes: false, allErrors: true })
const queries = validator({ coerceTypes: true, allErrors: true })

function validator(options: { coerceTypes: boolean; allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ ...options, useDefaults: true, removeAdditional: false, strict: false })
  addFormats.default(ajv, { mode: 'full', formats: ['uuid', 'date-time', 'email', 'uri'] })
  return ajv
}

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') return queries.compile(schema)
  const check = bodies.compile(schema)
  let checkInFull: ValidateFunction | undefined
  return (body: unknown) => {
    if (check(body)) return true
    if (isLarge(body)) return { error: check.errors as unknown as FastifySchemaValidationError[] }
    checkInFull ??= bodiesInFull.compile(schema)
    checkInFull(body)
    return { error: checkInFull.errors as unknown as FastifySchemaValidationError[] }
  }
}

/** All faults of a body are named at once, but a million faults would be the memory's end. */
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

/** What the validator found, in the caller's words: `emails[3].to`, one line each, fifty at most. */
export function fieldErrors(error: FastifyError): FieldError[] {
  const found = (error.validation ?? []) as unknown as ErrorObject[]
  // A failed alternative repeats itself as "must match a schema in anyOf": the particular fault says more.
  const particular = found.filter((fault) => fault.keyword !== 'anyOf' && fault.keyword !== 'if')
  const named = (particular.length > 0 ? particular : found).map(fieldError)
  return named
    .slice(0, errorsMax)
    .map((fault) => (fault.path === '' ? { ...fault, path: error.validationContext ?? 'body' } : fault))
}

function fieldError(fault: ErrorObject): FieldError {
  const at = fault.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (fault.keyword === 'required') at.push(fault.params.missingProperty)
  if (fault.keyword === 'additionalProperties') at.push(fault.params.additionalProperty)
  const path = at.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return { path: path.replace(/^\./, '').slice(0, 200), message: wording(fault) }
}

function wording(fault: ErrorObject): string {
  if (fault.keyword === 'required') return 'is required'
  if (fault.keyword === 'additionalProperties') return 'is not a known field; check the spelling'
  if (fault.keyword === 'enum') return `must be one of ${fault.params.allowedValues.join(', ')}`
  if (fault.keyword === 'const') return `must be ${JSON.stringify(fault.params.allowedValue)}`
  if (fault.keyword === 'format' && fault.params.format === 'uuid') return 'must be a UUID'
  if (fault.keyword === 'format' && fault.params.format === 'date-time') {
    return 'must be an ISO 8601 time with a zone, such as 2026-01-31T09:30:00Z'
  }
  return fault.message ?? 'is not valid'
}
