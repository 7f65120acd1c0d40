import { RE2JS } from 're2js'
import { DomainError } from '../../platform/errors.ts'
import { sizeOf } from './size.ts'

/** UTF-16 units. */
export const patternMax = 1000

/**
 * Work that one node may spend on patterns: about 20 ms. Time grows with the text and the pattern as it is compiled, where
 * `x{900}` is 900 instructions, and with nothing else.
 */
const budget = 4_000_000
/** Compiling one instruction takes about as long as searching this many characters with it. */
const compileCost = 500

export type Search = (pattern: string, text: string) => boolean

/** Whether a pattern of RE2 occurs in a text. Throws `invalid` for a bad pattern, and where all of it together is too much work. */
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

/** Tells what is wrong with a pattern, or null; of all that it is asked, no more is compiled than one node may run. */
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
