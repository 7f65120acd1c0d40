/**
 * A variable in double or triple braces, with a text that stands in for it behind a bar. No part can match what its
 * neighbour matches, and no placeholder begins inside another's name or blanks. So the time is linear in the length of
 * any text.
 */
const variable = String.raw`[ \t]*([\p{L}\p{M}\p{Nd}_.-]+)[ \t]*(?:\|([^{}\r\n]*))?`
const placeholder = new RegExp(String.raw`\{\{(?:\{${variable}\}|${variable})\}\}`, 'gu')

export type Placeholder = {
  written: string
  index: number
  name: string
  /** Stands in for a variable that is not given. Undefined without a bar. */
  fallback: string | undefined
  /** True for triple braces. */
  isTriple: boolean
}

/**
 * Our own limit. Each placeholder costs time, even one without a variable; an email of 5,000,000 characters could hold
 * a million. With one variable for each line, an invoice has some hundreds.
 */
export const placeholdersMax = 25_000
export const tooManyPlaceholders = `has more than ${placeholdersMax.toLocaleString('en')} placeholders`

/** Finds the placeholders of a text, in their order. */
export function* findPlaceholders(source: string): Generator<Placeholder> {
  for (const { 0: written, 1: triple, 2: tripleFallback, 3: double, 4: fallback, index } of source.matchAll(
    placeholder,
  )) {
    const isTriple = triple !== undefined
    yield {
      written,
      index,
      name: triple ?? double!,
      fallback: (isTriple ? tripleFallback : fallback)?.trim(),
      isTriple,
    }
  }
}

/** Returns the fault of a text that has too many placeholders; null if it has none. */
export function placeholdersFault(source: string): string | null {
  let count = 0
  for (const _ of findPlaceholders(source)) if (++count > placeholdersMax) return tooManyPlaceholders
  return null
}
