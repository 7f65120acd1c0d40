import { isDeepStrictEqual } from 'node:util'
import { usualTexts } from './example.ts'

export type Json = Record<string, unknown>

const single = ['items', 'additionalProperties']
const several = ['anyOf', 'allOf']
/** TypeBox writes a record of any names as a pattern that all names match. */
const anyName = '^.*$'

/** The named parts of a document, which are gathered while its operations are described. */
export type Components = {
  schemas: Record<string, Json>
  /** The name of each schema that has all fields of another one, with the name of the other one. */
  bases: Record<string, string>
  parameters: Record<string, Json>
  responses: Record<string, Json>
  headers: Record<string, Json>
  /** Returns a schema as a document shows it: parts with a title are references to components of that name. */
  refer(schema: object): Json
}

type Titled = Json & { title?: string; 'x-extends'?: string }

export function createComponents(): Components {
  const schemas: Record<string, Json> = {}
  const bases: Record<string, string> = {}

  function refer(schema: object): Json {
    const { title, 'x-extends': base, ...rest } = withoutUsualExample(schema) as Titled
    const shown = withParts(rest, refer)
    if (title === undefined) return shown
    const known = schemas[title]
    if (known && !isDeepStrictEqual(known, shown)) throw new Error(`Two schemas have the title ${title}.`)
    schemas[title] = shown
    if (base !== undefined) bases[title] = base
    return { $ref: `#/components/schemas/${title}` }
  }

  return { schemas, bases, parameters: {}, responses: {}, headers: {}, refer }
}

/** The example of a format is in the examples of bodies, so it is not written at each of hundreds of fields. */
function withoutUsualExample(schema: object): object {
  const { examples, ...rest } = schema as { format?: string; examples?: unknown[] }
  return examples?.[0] === usualTexts[rest.format ?? ''] ? rest : schema
}

/**
 * Returns a copy of a schema whose inner schemas are changed by a function. Conditions are left out, because generators
 * of clients do not read them. Descriptions say them in words.
 */
export function withParts(
  { patternProperties, if: _if, then: _then, else: _else, ...schema }: Json,
  change: (inner: object) => Json,
): Json {
  const changed: Json = { ...schema }
  const { [anyName]: value, ...patterns } = (patternProperties ?? {}) as Record<string, object>
  if (value) changed.additionalProperties = change(value)
  if (Object.keys(patterns).length > 0) changed.patternProperties = mapValues(patterns, change)
  if (schema.properties) changed.properties = mapValues(schema.properties as Record<string, object>, change)
  for (const key of single) if (isSchema(schema[key])) changed[key] = change(schema[key])
  for (const key of several) if (Array.isArray(schema[key])) changed[key] = schema[key].map(change)
  return changed
}

function mapValues(record: Record<string, object>, change: (inner: object) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, change(inner)]))
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Writes the first letter of a word as names of components begin. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
