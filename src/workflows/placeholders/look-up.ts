import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'

/**
 * Finds the value of a path such as `trigger.contact.tags[0]` or `node_a.rows.0`; undefined if there is none. Finds
 * only own members and elements of lists, so that `constructor`, `__proto__` and `length` find nothing.
 * Counts as a placeholder of the config that is being filled.
 */
export function lookUp(path: string, context: Context): unknown {
  fillingOf(context).countPlaceholder()
  let value: unknown = context
  for (const [, name, index] of path.matchAll(/\.?([^.[\]]+)|\[(\d+)\]/g)) {
    value = name === undefined ? placeOf(value, index!) : memberOf(value, name)
    if (value === undefined) return undefined
  }
  return value
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return placeOf(value, name)
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function placeOf(value: unknown, index: string): unknown {
  return Array.isArray(value) && /^\d{1,9}$/.test(index) ? value[Number(index)] : undefined
}
