import { ExactNumber } from '../../platform/numbers/exact-number.ts'
import type { Context } from '../nodes/node.ts'
import { fillValue } from './fill.ts'

/** Like `fillAll`, but a text that is one placeholder becomes the value itself: a number stays a number. */
export function fillValues<T>(config: T, context: Context): T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fillValue(value, context)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(config) as T
}
