import { RE2JS } from 're2js'
import { DomainError } from '../../platform/errors.ts'
import { sizeOf } from './size.ts'

/** The length of a pattern, in UTF-16 units. */
const patternMax = 1000

/**
 * The work that one node may spend on patterns: about 20 ms. It is the length of the text times the size of the
 * compiled pattern, where `x{900}` is 900 instructions.
 */
const budget = 4_000_000
/** Compiling one instruction takes about as long as searching this many characters with it. */
const compileCost = 500

export type Search = (pattern: string, text: string) => boolean

/**
 * Makes a search for RE2 patterns in texts. It throws `invalid` for a bad pattern, and if all searches together are too
 * much work.
 */
export function createSearch(): Search {
  let left = budget
  return (pattern, text) => {
    const compiled = compile(pattern)
    if ('fault' in compiled) throw new DomainError('invalid', `The pattern ${compiled.fault}`)
    left -= compiled.programSize * (compileCost + text.length)
    if (left < 0)
      throw new DomainError('invalid', `The pattern is too much work on a text of ${text.length} characters.`)
    return compiled.regex.test(text)
  }
}

/** Makes a check that returns the fault of a pattern, or null. It compiles no more patterns than one node may run. */
export function patternChecker(): (pattern: string) => string | null {
  let left = budget
  return (pattern) => {
    left -= sizeOf(pattern) * compileCost
    if (left < 0) return 'is too much work, with those before it: repeat smaller parts, or less often'
    const compiled = compile(pattern)
    return 'fault' in compiled ? compiled.fault : null
  }
}

function compile(pattern: string): { regex: RE2JS; programSize: number } | { fault: string } {
  if (pattern.length > patternMax) return { fault: `is longer than ${patternMax} characters` }
  if (sizeOf(pattern) * compileCost > budget) return { fault: 'is too much work: repeat smaller parts, or less often' }
  try {
    const regex = RE2JS.compile(pattern)
    return { regex, programSize: regex.programSize() }
  } catch (error) {
    return { fault: `cannot be read: ${(error as Error).message}` }
  }
}
