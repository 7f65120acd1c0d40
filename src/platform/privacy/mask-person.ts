import { ExactNumber } from '../numbers/exact-number.ts'
import { isWholeIn, namesPerson, type Written } from './names-person.ts'
import { candidatePattern, erased, type Person } from './person.ts'

/** Returns the value with `erased` in place of the person's addresses and numbers. Null stays null. */
export function maskPerson(value: unknown, written: Written, person: Person): unknown {
  if (!namesPerson(value, written, person)) return value
  if (written === 'json') return maskJson(value, person)
  if (Array.isArray(value)) return value.map((item) => maskPerson(item, written, person))
  return written === 'address' ? erased : maskText(String(value), person)
}

/**
 * Also an encoded address is found. A text in which it cannot be told from what is around it becomes `erased` as a
 * whole.
 */
function maskText(text: string, person: Person): string {
  if (!namesPerson(text, 'text', person)) return text
  let masked = text
  for (const one of person.texts) {
    const wordBefore = wordsOf(masked)
    masked = masked.replace(new RegExp(candidatePattern({ texts: [one] }), 'gi'), (found, ...rest) => {
      const [at, whole] = rest.slice(-2) as [number, string]
      const [before, after] = [whole.slice(0, at), whole.slice(at + found.length)]
      return isWholeIn(before, after, one) || isPartOfUrl(wordBefore(at), after) ? erased : found
    })
  }
  return namesPerson(masked, 'text', person) ? erased : masked
}

/** Characters that no URL holds. */
const aroundUrls = new Set(' \t\r\n\f\v"<>\\')
/** A longer URL is not read, as in `readings.ts`. */
const urlMax = 8192

/**
 * Returns a function that gives the text between a place and the last character before it that no URL holds. Its places
 * must grow, so that each character is looked at once.
 */
function wordsOf(text: string): (at: number) => string {
  let start = 0
  let seen = 0
  return (at) => {
    for (; seen < at; seen++) if (aroundUrls.has(text[seen]!)) start = seen + 1
    return text.slice(Math.max(start, at - urlMax), at)
  }
}

const separators = '/?&=#:'

/** True between the marks that separate the parts of a URL. */
function isPartOfUrl(before: string, after: string): boolean {
  const begins = separators.includes(before.at(-1) ?? ' ') || /^%(?:2f|3f|26|3d|23|3a)$/i.test(before.slice(-3))
  const ends = /^(?:$|[\s"'<>\\)/?&=#]|%(?:2f|3f|26|3d|23))/i.test(after.slice(0, 4))
  return begins && ends && /:\/\/|^mailto:/i.test(before)
}

/** Not recursive: the depth of what is stored has no bound of its own here. */
function maskJson(value: unknown, person: Person): unknown {
  const masked = (text: string) => maskText(text, person)
  const copyOf = (each: unknown): unknown => {
    if (typeof each === 'string') return masked(each)
    if (typeof each !== 'object' || each === null || each instanceof ExactNumber) return each
    const copy: unknown[] | Record<string, unknown> = Array.isArray(each) ? [] : {}
    open.push([each, copy])
    return copy
  }
  const open: [from: object, to: unknown[] | Record<string, unknown>][] = []
  const result = copyOf(value)
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next
    if (Array.isArray(to)) for (const item of from as unknown[]) to.push(copyOf(item))
    else for (const [name, item] of Object.entries(from)) setMember(to, masked(name), copyOf(item))
  }
  return result
}

/** Also a member called `__proto__`. */
function setMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
