import type { Route } from '../platform/http/route.ts'
import { type Json, withParts } from '../reference/components.ts'
import type { Tool } from './tool.ts'

type ObjectSchema = { properties?: Record<string, Json>; required?: string[] }

/** Where each field of a tool's input goes. */
type Place = 'path' | 'query' | 'body'

export type Input = { schema: Json; places: Map<string, Place> }

/** Makes the input of a tool: path, query and body of its route in one object. A name is in one of them only. */
export function inputOf(tool: Tool, route: Route): Input {
  const places = new Map<string, Place>()
  const properties: Record<string, Json> = {}
  const required: string[] = []
  for (const [place, part] of partsOf(route)) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      // For signed-in people who look at test mode; a key has its mode.
      if (place === 'query' && name === 'mode') continue
      if (places.has(name)) throw new Error(`${tool.name} has two fields named ${name}.`)
      places.set(name, place)
      properties[name] = shown(property)
      if (place === 'path' || part.required?.includes(name)) required.push(name)
    }
  }
  if (route.idempotent) properties.idempotencyKey = idempotencyKey
  if (tool.unconfirmed) properties.confirm = confirm
  const needs = required.length > 0 ? { required } : {}
  return { schema: { type: 'object', properties, ...needs, additionalProperties: false }, places }
}

function partsOf({ params, query, body }: Route): [Place, ObjectSchema][] {
  const parts: [Place, unknown][] = [
    ['path', params],
    ['query', query],
    ['body', body],
  ]
  return parts.map(([place, schema]) => [place, (schema ?? {}) as ObjectSchema])
}

/** A model reads every schema each time, so examples and names of components are left out. */
function shown(schema: object): Json {
  const { title: _title, examples: _examples, ...rest } = schema as Json
  return withParts(rest, shown)
}

const idempotencyKey: Json = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'The same key with the same input acts once, for at least 24 hours.',
}

const confirm: Json = { type: 'boolean', description: 'Sends only if true.' }
