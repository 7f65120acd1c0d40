import type { Context } from '../nodes/node.ts'
import { readOnce } from './read-once.ts'

/**
 * What an execution knows, by the names of a context, as JSON: as values, lists of small objects take twenty times as much
 * room. What is in `triggers` is the trigger by another name.
 */
export type Memory = { executionId: string; texts: ReadonlyMap<string, string>; triggers: ReadonlySet<string> }

/** The members of a memory that `knows` names. A member is parsed when it is first read. */
export function contextOf(memory: Memory, knows: ReadonlySet<string>): Context {
  return new Proxy(blank, new Members(memory, knows)) as Context
}

export type Member = { name: string; properName: string; text: string }

/** The members of a context as JSON, and the name that each is kept by: the trigger has two. */
export function* membersOf(context: Context): Generator<Member> {
  const members = (context as unknown as Record<symbol, Members>)[itself]!
  for (const name of members.ownKeys()) {
    const properName = members.properName(name)
    yield { name, properName, text: members.memory.texts.get(properName)! }
  }
}

const itself = Symbol('members')
const blank = Object.create(null)

class Members implements ProxyHandler<object> {
  readonly memory: Memory
  readonly #knows: ReadonlySet<string>

  constructor(memory: Memory, knows: ReadonlySet<string>) {
    this.memory = memory
    this.#knows = knows
  }

  properName(name: string): string {
    return this.memory.triggers.has(name) ? 'trigger' : name
  }

  has(_: object, name: string | symbol): name is string {
    return typeof name === 'string' && this.#knows.has(name) && this.memory.texts.has(this.properName(name))
  }

  get(_: object, name: string | symbol): unknown {
    if (name === itself) return this
    return this.has(_, name) ? readOnce(this.memory, this.properName(name)) : undefined
  }

  ownKeys(): string[] {
    return [...this.#knows].filter((name) => this.has(blank, name))
  }

  getOwnPropertyDescriptor(_: object, name: string | symbol): PropertyDescriptor | undefined {
    if (!this.has(_, name)) return undefined
    return { get: () => this.get(_, name), enumerable: true, configurable: true }
  }

  set(): boolean {
    return false
  }

  defineProperty(): boolean {
    return false
  }
}
