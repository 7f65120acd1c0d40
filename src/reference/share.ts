import { isDeepStrictEqual } from 'node:util'
import { type Components, capital, type Json } from './components.ts'
import type { Operation } from './operation.ts'

type Paths = Record<string, Record<string, Operation>>
/** A place of a part, `holder[key]`, with the names that the part may have. The first one that is free is taken. */
type Use = { part: Json; names: string[]; holder: Record<string, Json>; key: string }

/**
 * Moves parameters and successes that several operations have alike to the components, which shortens the document.
 */
export function shareParts(paths: Paths, components: Components): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const parameters = operations.flatMap(({ parameters: holder = [] }) =>
    holder.map((part, key): Use => {
      return {
        part,
        names: namesOfParameter(part),
        holder: holder as unknown as Record<string, Json>,
        key: String(key),
      }
    }),
  )
  const successes = operations.flatMap(({ responses: holder }) =>
    Object.entries(holder).flatMap(([key, part]): Use[] => {
      const name = nameOfContent(part)
      return name === null ? [] : [{ part, names: [name], holder, key }]
    }),
  )
  share(parameters, components.parameters, 'parameters')
  share(successes, components.responses, 'responses')
}

/** Gives a name that several different parts have to the part that is used most. The others stay where they are. */
function share(uses: Use[], shared: Record<string, Json>, kind: string): void {
  const alike = Map.groupBy(uses, ({ part, names }) => JSON.stringify([names, part]))
  for (const same of [...alike.values()].sort((one, other) => other.length - one.length)) {
    const { names, part } = same[0]!
    const name = names.find((each) => !(each in shared))
    if (same.length === 1 || name === undefined) continue
    shared[name] = part
    for (const { holder, key } of same) holder[key] = { $ref: `#/components/${kind}/${name}` }
  }
}

/** A list of another usual length has a `limit` of its own, which is named with that length. */
function namesOfParameter({ name, schema }: Json): string[] {
  const usual = String(name).split(/[-._]/).map(capital).join('')
  const { default: value } = schema as { default?: unknown }
  return Number.isInteger(value) ? [usual, `${usual}${value}`] : [usual]
}

/** The name of what a success holds. Null for refusals, which are components already, and for other content. */
function nameOfContent({ content }: Json): string | null {
  const schema = (content as Record<string, { schema: Json }> | undefined)?.['application/json']?.schema
  return typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1)! : null
}

type ObjectSchema = Json & { required?: string[]; properties: Record<string, Json> }

/** Writes a schema that has all fields of another one as that one and its further fields. */
export function shareFields({ schemas, bases }: Components): void {
  for (const [name, base] of Object.entries(bases)) {
    const known = schemas[base] as ObjectSchema
    const whole = schemas[name] as ObjectSchema
    const isKnown = (field: string) => field in known.properties
    if (!isDeepStrictEqual(withFields(whole, isKnown), known)) throw new Error(`${name} lacks fields of ${base}.`)
    const further = withFields(whole, (field) => !isKnown(field))
    schemas[name] = { allOf: [{ $ref: `#/components/schemas/${base}` }, further] }
  }
}

/** Returns an object's schema with some of its fields. */
function withFields(
  { required = [], properties, ...schema }: ObjectSchema,
  isWanted: (field: string) => boolean,
): Json {
  const needed = required.filter(isWanted)
  const fields = Object.entries(properties).filter(([field]) => isWanted(field))
  return { ...schema, ...(needed.length > 0 && { required: needed }), properties: Object.fromEntries(fields) }
}

type Shown = Json & { properties?: Record<string, Json>; items?: Json; anyOf?: Json[]; allOf?: Json[] }

/** Removes the examples of fields that the example of a body or an answer shows, so that each is written once. */
export function omitShownExamples(parts: unknown, { schemas }: Components): void {
  const shown = new Set<Json>()

  function look(schema: Json, value: unknown): void {
    const { $ref, examples, properties = {}, items, anyOf, allOf = [] } = schema as Shown
    if (typeof $ref === 'string') look(schemas[$ref.split('/').at(-1)!]!, value)
    if (Array.isArray(examples) && isDeepStrictEqual(examples[0], value)) shown.add(schema)
    for (const part of [anyOf?.[0] ?? [], allOf].flat()) look(part, value)
    if (Array.isArray(value) && items) for (const each of value) look(items, each)
    for (const [name, field] of Object.entries(properties)) look(field, (value as Json | null)?.[name])
  }

  function find(part: unknown): void {
    if (typeof part !== 'object' || part === null) return
    const { schema, example } = part as { schema?: Json; example?: unknown }
    if (schema && example !== undefined) look(schema, example)
    else Object.values(part).forEach(find)
  }

  find(parts)
  for (const schema of shown) delete schema.examples
}
