import { DomainError } from '../../platform/errors.ts'
import type { Context } from '../nodes/node.ts'
import { readOnce } from './read-once.ts'

/**
 * The context of an execution, as JSON by name: parsed lists of small objects take twenty times as much memory. The
 * names in `triggers` stand for the trigger too.
 */
export type Memory = { executionId: string; texts: ReadonlyMap<string, string>; triggers: ReadonlySet<string> }

/** Makes a context of the members that `knows` names. A member is parsed when it is first read. */
export function contextOf(memory: Memory, knows: ReadonlySet<string>): Context {
  return new Proxy(blank, new Members(memory, knows)) as Context
}

type Member = { name: string; properName: string; text: string }

/** Lists the members of a context as JSON, each with the name that it is kept by, since the trigger has two names. */
export function* membersOf(context: Context): Generator<Member> {
  const members = (context as unknown as Record<symbol, Members>)[itself]!
  for (const name of members.ownKeys()) {
    const properName = members.properName(name)
    yield { name, properName, text: members.memory.texts.get(properName)! }
  }
}

/** The members that one config may read, in UTF-16 units of JSON: as much as is kept parsed. */
const readMax = 8 * 1024 * 1024

/**
 * Calls `work`. Each member that it reads is parsed once, however often it is read. Throws `invalid` if it reads too
 * much.
 */
export function readingOnce<T>(context: Context, work: () => T): T {
  const members: Members | undefined = (context as unknown as Record<symbol, Members>)[itself]
  return members ? members.readingOnce(work) : work()
}

const itself = Symbol('members')
const blank = Object.create(null)

class Members implements ProxyHandler<object> {
  readonly memory: Memory
  readonly #knows: ReadonlySet<string>
  /**
   * The values that the filling of one config has read. The end of the filling drops them, because values take up to
   * twenty times the memory of their text.
   */
  #read: Map<string, unknown> | null = null
  #readLength = 0

  constructor(memory: Memory, knows: ReadonlySet<string>) {
    this.memory = memory
    this.#knows = knows
  }

  readingOnce<T>(work: () => T): T {
    this.#read = new Map()
    this.#readLength = 0
    try {
      return work()
    } finally {
      this.#read = null
    }
  }

  properName(name: string): string {
    return this.memory.triggers.has(name) ? 'trigger' : name
  }

  has(_: object, name: string | symbol): name is string {
    return typeof name === 'string' && this.#knows.has(name) && this.memory.texts.has(this.properName(name))
  }

  get(_: object, name: string | symbol): unknown {
    if (name === itself) return this
    return this.has(_, name) ? this.#valueOf(this.properName(name)) : undefined
  }

  #valueOf(name: string): unknown {
    if (!this.#read) return readOnce(this.memory, name)
    if (!this.#read.has(name)) {
      this.#readLength += this.memory.texts.get(name)!.length
      if (this.#readLength > readMax) throw tooMuch()
      this.#read.set(name, readOnce(this.memory, name))
    }
    return this.#read.get(name)
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

function tooMuch(): DomainError {
  const message = `The placeholders of this node read more than ${readMax} characters of data. The output of a node counts as a whole: name fewer nodes, or smaller outputs.`
  return new DomainError('invalid', message)
}
