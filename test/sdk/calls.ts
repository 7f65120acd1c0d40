import type { Posthorn } from '../../sdk/src/index.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** Returns each method of the SDK, by its place such as `webhooks.deliveries.list`. */
export function methodsOf(posthorn: Posthorn): [name: string, method: Method][] {
  return Object.entries(posthorn).flatMap(([noun, part]) => within(noun, part))
}

function within(name: string, part: unknown): [string, Method][] {
  if (typeof part === 'function') return [[name, part as Method]]
  return Object.entries(part as object).flatMap(([key, inner]) => within(`${name}.${key}`, inner))
}
