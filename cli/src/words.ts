import { usageFailure } from './failure.ts'

/** Throws a `Failure` of usage if a word is missing or too many. */
export function refuseWords(name: string, words: readonly string[], wanted: readonly string[]): void {
  const least = wanted.filter((word) => !word.startsWith('['))
  const missing = least.slice(words.length)
  if (missing.length > 0) throw usageFailure(`posthorn ${name}: ${missing.join(' and ')} must be given.`)
  if (wanted.some((word) => /…\]?$/.test(word)) || words.length <= wanted.length) return
  throw usageFailure(
    `posthorn ${name} takes ${wanted.join(' ') || 'no arguments'}; there is also "${words[wanted.length]}".`,
  )
}
