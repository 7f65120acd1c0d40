import fc, { type Arbitrary } from 'fast-check'
import { cleanName } from '../src/platform/text/name.ts'
import { anyCharacter } from './any-text.ts'

/** The part of JSON Schema that the routes use. */
type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  examples?: unknown[]
}

/** Values that a schema allows, with short texts and lists. Examples come often, since they get furthest. */
export function valid(schema: Schema): Arbitrary<unknown> {
  const examples = schema.examples ? [{ weight: 3, arbitrary: fc.constantFrom(...schema.examples) }] : []
  return fc.oneof({ weight: 2, arbitrary: plain(schema) }, ...examples)
}

function plain(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid))
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => ofType[type]!(schema)))
}

const ofType: Record<string, (schema: Schema) => Arbitrary<unknown>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -1000, maximum = 1000 }) => fc.integer({ min: minimum, max: maximum }),
  number: ({ minimum = -1000, maximum = 1000 }) => fc.double({ min: minimum, max: maximum, noNaN: true }),
  string: text,
  array: ({ items = {}, minItems = 0, maxItems = 5 }) =>
    fc.array(valid(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) }),
  object: ({ properties = {}, patternProperties = {}, additionalProperties, required = [] }) => {
    const [record = typeof additionalProperties === 'object' ? additionalProperties : undefined] =
      Object.values(patternProperties)
    if (record) return fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), valid(record), { maxKeys: 4 })
    const fields = Object.entries(properties).map(([name, property]) => [name, valid(property)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true })
  },
}

function text({ format, minLength = 0, maxLength = 200 }: Schema): Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('1999-01-01'), max: new Date('2100-01-01') })
      .map((date) => date.toISOString())
  const texts = fc.string({ unit: anyCharacter, minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  return format === 'name' ? texts.map((given) => cleanName(given, maxLength) ?? 'Shop') : texts
}

const hostileTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '__proto__',
  "' or 1=1 --",
  '%',
  '\\',
  '{{x}}',
  '\r\nBcc: a@b.co',
  '<a@b.co>',
  'a@[127.0.0.1]',
  'x'.repeat(70_000),
  '١٢٣',
  '𝕏@𝕏.test',
  '\u202e',
]
export const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...hostileTexts,
    null,
    true,
    0,
    -1,
    1e308,
    2 ** 53,
    [],
    {},
    [[[]]],
    ['x', 5],
    '2030-02-30T00:00:00Z',
    '275760-09-13T00:00:00Z',
    '0000-01-01T00:00:00Z',
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A valid value with one invalid part at any depth. */
export function nearlyValid(schema: Schema): Arbitrary<unknown> {
  return fc
    .tuple(valid(schema), hostile, fc.array(fc.nat(), { maxLength: 4 }))
    .map(([value, fault, path]) => spoil(value, fault, path))
}

function spoil(value: unknown, fault: unknown, [step, ...rest]: number[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return fault
  if (Array.isArray(value))
    return value.map((item, index) => (index === step % value.length ? spoil(item, fault, rest) : item))
  const names = Object.keys(value)
  const chosen = names[step % (names.length + 1)] ?? 'unknownField'
  return { ...value, [chosen]: spoil((value as Record<string, unknown>)[chosen], fault, rest) }
}
