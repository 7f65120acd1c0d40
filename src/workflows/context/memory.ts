import type { Context } from '../nodes/node.ts'
import { readOnce } from './read-once.ts'

/**
 * What an execution knows, by the names of a context, as JSON: as values, lists of small objects take twenty times as much
 * room. What is in `triggers` is the trigger by another name.
 */
export type Memory = { executionId: string; texts: Map<string, string>; triggers: ReadonlySet<string> }

/** Of a context: what it is made of. */
const sources = new WeakMap<Context, { memory: Memory; properName(name: string): string }>()

/** What `knows` tells of a memory, now and later. A member is read when it is asked for. */
export function contextOf(memory: Memory, knows: ReadonlySet<string>): Context {
  const { texts, triggers } = memory
  const properName = (name: string) => (triggers.has(name) ? 'trigger' : name)
  const has = (name: string | symbol): name is string =>
    typeof name === 'string' && knows.has(name) && texts.has(properName(name))
  const read = (name: string) => readOnce(memory, properName(name))
  const context = new Proxy(Object.create(null), {
    has: (_, name) => has(name),
    get: (_, name) => (has(name) ? read(name) : undefined),
    ownKeys: () => [...knows].filter(has),
    getOwnPropertyDescriptor: (_, name) =>
      has(name) ? { get: () => read(name), enumerable: true, configurable: true } : undefined,
    set: () => false,
    defineProperty: () => false,
  }) as Context
  sources.set(context, { memory, properName })
  return context
}

/** The members of a context as JSON, and the name that each is kept by: the trigger has two. */
export function membersOf(context: Context): { name: string; properName: string; text(): string }[] {
  const { memory, properName } = sources.get(context)!
  return Object.keys(context).map((name) => {
    return { name, properName: properName(name), text: () => memory.texts.get(properName(name))! }
  })
}
