import { ExactNumber } from '../../../../src/platform/numbers/exact-number.ts'

/** The part of JSON Schema that configs of steps are written in. */
export type Schema = {
  type?: string | string[]
  title?: string
  description?: string
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  contentMediaType?: string
  'x-resource'?: 'segments' | 'broadcasts' | 'domains' | 'credentials' | 'templates'
}

/** How a value is drawn. */
export type Kind =
  | 'choice'
  | 'choices'
  | 'resource'
  | 'code'
  | 'text'
  | 'number'
  | 'boolean'
  | 'list'
  | 'record'
  | 'union'
  | 'scalar'
  | 'rule'
  | 'group'
  | 'any'

export function kindOf(schema: Schema): Kind {
  if (schema['x-resource']) return 'resource'
  if (schema.enum) return 'choice'
  if (optionsOf(schema).length > 0) return 'union'
  if (Array.isArray(schema.type)) return 'scalar'
  switch (schema.type) {
    case 'string':
      return schema.contentMediaType ? 'code' : 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return schema.items?.enum ? 'choices' : 'list'
    case 'object':
      return kindOfObject(schema)
    default:
      return 'any'
  }
}

/** A rule is a comparison, or a list of rules in `all` or `any`. */
function kindOfObject({ properties = {}, patternProperties, additionalProperties }: Schema): Kind {
  if (patternProperties || typeof additionalProperties === 'object') return 'record'
  if (properties.operator && properties.left && properties.right) return 'rule'
  return Object.keys(properties).length > 0 ? 'group' : 'any'
}

export function optionsOf({ anyOf, oneOf }: Schema): Schema[] {
  return anyOf ?? oneOf ?? []
}

/** The schema of a record's values. */
export function valuesOf({ patternProperties, additionalProperties }: Schema): Schema {
  const [first] = Object.values(patternProperties ?? {})
  return first ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
}

/** The types of JSON that a value may have; all of them if the schema names none. */
export function typesOf({ type }: Schema): string[] {
  if (type === undefined) return ['string', 'number', 'boolean', 'null', 'object']
  return Array.isArray(type) ? type : [type]
}

export function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof ExactNumber) return 'number'
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'object' ? typeof value : 'string'
}

/** Tells which option of a union a value is of. */
export function optionOfValue(options: Schema[], value: unknown): number {
  const type = Array.isArray(value) ? 'array' : typeOfValue(value)
  const found = options.findIndex((option) => typesOf(option).includes(type))
  return Math.max(0, found)
}
