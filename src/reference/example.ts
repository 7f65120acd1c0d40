/** The part of JSON Schema from which an example is made. */
type Schema = {
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/**
 * Returns the example of a whole value, or one made of the examples of its required fields, or of all fields if none is
 * required. Undefined if nothing in the schema gives one. The reference page sends it as a first try.
 */
export function exampleOf(schema: Schema): unknown {
  const { examples = [], default: usual, const: only, enum: values = [], anyOf = [], items, properties } = schema
  const [given = usual ?? only ?? values[0]] = examples
  if (given !== undefined) return given
  if (anyOf[0]) return exampleOf(anyOf[0])
  if (items) return [exampleOf(items)].filter((item) => item !== undefined)
  return properties && exampleOfFields(properties, schema.required ?? [])
}

function exampleOfFields(properties: Record<string, Schema>, required: string[]): Record<string, unknown> {
  const names = required.length > 0 ? required : Object.keys(properties)
  const fields = names.map((name) => [name, exampleOf(properties[name] ?? {})])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}
