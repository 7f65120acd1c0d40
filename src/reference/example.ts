/** The part of JSON Schema from which an example is made. */
type Schema = {
  type?: string | string[]
  format?: string
  minimum?: number
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
}

/**
 * Returns the example of a whole value, or one made of the examples of its required fields, or of all fields if none is
 * required. Undefined if nothing in the schema gives one. The reference page sends it as a first try.
 */
export function exampleOf(schema: Schema): unknown {
  const { anyOf = [], items, properties } = schema
  const given = givenIn(schema)
  if (given !== undefined) return given
  if (anyOf[0]) return exampleOf(anyOf[0])
  if (items) return [exampleOf(items)].filter((item) => item !== undefined)
  return properties && fieldsOf(properties, requiredOf(schema), exampleOf)
}

/** Returns an example of an answer, with all its fields. What has no example is the simplest value of its type. */
export function answerExampleOf(schema: Schema): unknown {
  const { type, format = '', anyOf = [], items, properties, minimum = 0 } = schema
  const given = givenIn(schema)
  if (given !== undefined) return given
  if (anyOf[0]) return answerExampleOf(anyOf[0])
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return fieldsOf(properties ?? {}, Object.keys(properties ?? {}), answerExampleOf)
    case 'array':
      return items ? [answerExampleOf(items)] : []
    case 'string':
      return usualTexts[format] ?? ''
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return false
    default:
      return null
  }
}

export const usualTexts: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  email: 'ada@example.com',
}

function givenIn({ examples = [], default: usual, const: only, enum: values = [] }: Schema): unknown {
  const [given = usual ?? only ?? values[0]] = examples
  return given
}

function requiredOf({ properties = {}, required = [] }: Schema): string[] {
  return required.length > 0 ? required : Object.keys(properties)
}

function fieldsOf(
  properties: Record<string, Schema>,
  names: string[],
  example: (schema: Schema) => unknown,
): Record<string, unknown> {
  const fields = names.map((name) => [name, example(properties[name] ?? {})])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}
