import { faultFinder } from '../../platform/http/schema/validation.ts'
import { ExactNumber } from '../../platform/numbers/exact-number.ts'

/** The part of JSON Schema that configs use. */
type Schema = {
  type?: string | string[]
  anyOf?: Schema[]
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
}

/**
 * Copies a config without the parts that its schema refuses, which become undefined, also in lists. Unknown members and
 * lists that are too long are left out.
 */
export function soundPart(schema: object, config: unknown): unknown {
  const { type, anyOf, items, maxItems = Infinity, properties, patternProperties }: Schema = schema
  if (anyOf) {
    const parts = anyOf.map((one) => soundPart(one, config))
    return parts.find((part) => part !== undefined)
  }
  if (type === 'array' && items) {
    return Array.isArray(config) && config.length <= maxItems ? config.map((item) => soundPart(items, item)) : undefined
  }
  const [record] = Object.values(patternProperties ?? {})
  if (type !== 'object' || !(properties || record)) return isSound(schema, config) ? config : undefined
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return undefined
  if (config instanceof ExactNumber) return undefined
  const parts = Object.entries(config).flatMap(([name, value]) => {
    const inside = record ?? (Object.hasOwn(properties!, name) ? properties![name] : undefined)
    return inside ? [[name, soundPart(inside, value)]] : []
  })
  return Object.fromEntries(parts)
}

const finders = new WeakMap<object, ReturnType<typeof faultFinder>>()

function isSound(schema: object, value: unknown): boolean {
  const find = finders.get(schema) ?? faultFinder(schema)
  finders.set(schema, find)
  return find(value).length === 0
}
