import Type, { type TSchema } from 'typebox'
import { invalid } from '../platform/errors.ts'
import { Strict, Text } from '../platform/http/schema/schema.ts'

/** A body or query whose schema also takes what its path names, and what takes that out of it again. */
type Repeating = { schema: TSchema; without(given: unknown, params: Record<string, string>): unknown }

/**
 * Takes fields in a body or a query that repeat what the path names, such as `broadcast_id`, as Resend's packages for
 * Python, Go and Ruby send them.
 */
export function withRepeated(schema: TSchema, path: string): Repeating {
  const { properties } = schema as { properties?: Record<string, TSchema> }
  const names = properties ? repeatedBy(path).filter((name) => !(name in properties)) : []
  if (names.length === 0) return { schema, without: (given) => given }
  const repeated = Object.fromEntries(names.map((name) => [name, Type.Optional(Text({ maxLength: 320 }))]))
  return { schema: Strict({ ...properties, ...repeated }), without: (given, params) => take(given, names, params) }
}

/** Names the id of each noun of a path that has one: `/audiences/:id/contacts` is `id` and `audience_id`. */
function repeatedBy(path: string): string[] {
  const names = [...path.matchAll(/\/([a-z]+)s\/:(\w+)/g)].flatMap(([, noun, param]) => {
    return ['id', `${noun}_id`, ...(param === 'contact' ? ['email'] : [])]
  })
  return [...new Set(names)]
}

/** Throws `invalid` if one names something else than the path. An empty one names nothing. */
function take(given: unknown, names: string[], params: Record<string, string>): unknown {
  const named = new Set(Object.values(params).map((value) => value.toLowerCase()))
  const rest = { ...(given as Record<string, unknown>) }
  for (const name of names) {
    const value = String(rest[name] ?? '').toLowerCase()
    if (value !== '' && !named.has(value)) throw invalid(name, 'is not what the path names, and cannot be changed')
    delete rest[name]
  }
  return rest
}
