/** The part of JSON Schema that the routes use. */
export type Schema = {
  /** The name of a component. */
  $ref?: string
  format?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  examples?: unknown[]
}

type Options = {
  /** Gives the name of a type whose text is known. */
  nameOf?: (text: string) => string | undefined
  /** The type of a time. */
  time?: string
}

/** Returns the TypeScript type of a value after JSON. */
export function typeText(schema: Schema, options: Options = {}): string {
  const { nameOf, time = 'string' } = options
  const print = (inner: Schema): string => nameOf?.(typeText(inner)) ?? typeText(inner, options)
  const { $ref, type, const: only, enum: values, anyOf, format } = schema
  if ($ref) return $ref.split('/').at(-1)!
  if (only !== undefined) return literal(only)
  if (values) return values.map(literal).join(' | ')
  if (isAnyObject(schema)) return 'Record<string, unknown>'
  if (anyOf) return [...new Set(anyOf.map(print))].join(' | ')
  const types = [type ?? []].flat()
  const ofOne = (name: string) => (name === 'string' && format === 'date-time' ? time : ofType(name, schema, print))
  return types.length === 0 ? 'unknown' : types.map(ofOne).join(' | ')
}

/** A served object may have no type, so that it is written as it is. Its example is empty. */
function isAnyObject({ type, examples: [example] = [] }: Schema): boolean {
  return type === undefined && JSON.stringify(example) === '{}'
}

function ofType(type: string, schema: Schema, print: (inner: Schema) => string): string {
  if (type === 'array') return `Array<${print(schema.items ?? {})}>`
  if (type === 'object') return objectText(schema, print)
  return type === 'integer' ? 'number' : type
}

function objectText(schema: Schema, print: (inner: Schema) => string): string {
  const { properties, required = [], additionalProperties, patternProperties = {} } = schema
  const [ofPattern] = Object.values(patternProperties)
  if (!properties || (Object.keys(properties).length === 0 && additionalProperties !== false)) {
    const value = ofPattern ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
    return `Record<string, ${print(value)}>`
  }
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${/^\w+$/.test(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}: ${print(field)}`,
  )
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
