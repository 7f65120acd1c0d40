import { DomainError } from '../../platform/errors.ts'
import type { Context } from '../nodes/node.ts'
import { readingOnce } from './memory.ts'

/** All filled texts of one config, in UTF-16 units. A short text can name a long value many times. */
const filledMax = 1024 * 1024
/** Each placeholder costs time, also one without a value; a config of 1 MiB could hold 100,000. */
const placeholdersMax = 10_000

/** Counts what one config becomes while it is filled. */
class Filling {
  #length = 0
  #placeholders = 0

  /** Counts so many UTF-16 units. Throws `invalid` past the limit. */
  take(length: number): void {
    this.#length += length
    if (this.#length > filledMax) throw tooLong()
  }

  countPlaceholder(): void {
    if (++this.#placeholders > placeholdersMax) throw tooMany()
  }
}

const fillings = new WeakMap<Context, Filling>()

/** Fills one config: all fillers that `work` calls count together, and each member of the context is parsed once. */
export function whileFilling<T>(context: Context, work: () => T): T {
  fillings.set(context, new Filling())
  try {
    return readingOnce(context, work)
  } finally {
    fillings.delete(context)
  }
}

/** Finds the counter of the config that is being filled from a context. Outside of a config each text has its own. */
export function fillingOf(context: Context): Filling {
  return fillings.get(context) ?? new Filling()
}

function tooLong(): DomainError {
  const message = `With its placeholders filled, the config of this node is longer than ${filledMax} characters. Name smaller values.`
  return new DomainError('invalid', message)
}

function tooMany(): DomainError {
  const message = `The config of this node has more than ${placeholdersMax} placeholders. Make a long text in a code node, and name that.`
  return new DomainError('invalid', message)
}
