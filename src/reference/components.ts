import { isDeepStrictEqual } from 'node:util'
import { usualTexts } from './example.ts'

export type Json = Record<string, unknown>

const single = ['items', 'additionalProperties']
/** TypeBox writes a record of any names as a pattern that all names match. */
const anyName = '^.*$'

/** The named parts of a document, which are gathered while its operations are described. */
export type Components = {
  schemas: Record<string, Json>
  parameters: Record<string, Json>
  responses: Record<string, Json>
  headers: Record<string, Json>
  /** Returns a schema as a document shows it: parts with a title are references to components of that name. */
  refer(schema: object): Json
}

export function createComponents(): Components {
  const schemas: Record<string, Json> = {}

  function refer(schema: object): Json {
    const { title, ...rest } = withoutUsualExample(schema) as Json & { title?: string }
    const shown = withParts(rest, refer)
    if (title === undefined) return shown
    const known = schemas[title]
    if (known && !isDeepStrictEqual(known, shown)) throw new Error(`Two schemas have the title ${title}.`)
    schemas[title] = shown
    return { $ref: `#/components/schemas/${title}` }
  }

  return { schemas, parameters: {}, responses: {}, headers: {}, refer }
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
  if (Array.isArray(schema.anyOf)) changed.anyOf = (schema.anyOf as object[]).map(change)
  return changed
}

function mapValues(record: Record<string, object>, change: (inner: object) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, change(inner)]))
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
