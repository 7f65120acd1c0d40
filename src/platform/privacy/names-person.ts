import { isAddress } from '../text/mail-address.ts'
import type { Person } from './person.ts'
import { readingsOf, readingsOfUrl } from './readings.ts'

/** How a value is written: a mailbox, text or HTML, JSON, or the path of a request. */
export type Written = 'address' | 'text' | 'json' | 'path'

/**
 * True if the value names one of the person's addresses or numbers as a whole one: `ada@example.com` is not named by
 * `o'ada@example.com`, `ada@example.community` or `ada@example.com.au`. A character that an address may hold belongs to
 * the address, unless the text shows that it separates: in a URL, in HTML, or as a pair of quotes. Where this is not
 * certain the address is another person's, because an erasure cannot be taken back.
 */
export function namesPerson(value: unknown, written: Written, person: Person): boolean {
  if (value === null || value === undefined) return false
  if (Array.isArray(value) && written !== 'json') return value.some((item) => namesPerson(item, written, person))
  if (written === 'json') return textsOf(value).some((text) => namesPerson(text, 'text', person))
  const text = String(value)
  if (written === 'path') return isNamedInAny(readingsOfUrl(text), person)
  return isNamedInAny(written === 'address' || isAddress(text) ? [text] : readingsOf(text), person)
}

/** Returns all texts and keys of a JSON value. JSON that is stored as text is parsed. */
function textsOf(value: unknown): string[] {
  const texts: string[] = []
  const open = [typeof value === 'string' ? parsed(value) : value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(next)
    else if (Array.isArray(next)) open.push(...next)
    else if (next !== null && typeof next === 'object') open.push(...Object.keys(next), ...Object.values(next))
  }
  return texts
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const localPartMax = 64 // RFC 5321 4.5.3.1.1

function isNamedInAny(readings: string[], person: Person): boolean {
  return readings.some((reading) => isNamedIn(reading, person))
}

function isNamedIn(reading: string, { texts }: Person): boolean {
  const lower = reading.toLowerCase()
  return texts.some((text) => {
    for (let at = lower.indexOf(text); at !== -1; at = lower.indexOf(text, at + 1)) {
      const end = at + text.length
      if (isWholeIn(lower.slice(Math.max(0, at - localPartMax), at), lower.slice(end, end + localPartMax), text))
        return true
    }
    return false
  })
}

/** True if an address or number between these texts is a whole one. */
export function isWholeIn(before: string, after: string, text: string): boolean {
  const isWhole = text.includes('@') ? isWholeAddress : isWholeNumber
  return isWhole(before.slice(-localPartMax), after.slice(0, localPartMax))
}

/** Characters of a local part (RFC 5322 3.2.3, and RFC 6531 3.3 beyond ASCII). */
const localPartEnd = /[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]*$/u
/** More of a domain. Scripts that are written without blanks are never mixed with the letters of a domain. */
const domainStart =
  /^(?:[.-]*[\p{N}\p{M}]|[.-]*(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])\p{L})/u

function isWholeAddress(before: string, after: string): boolean {
  if (domainStart.test(after)) return false
  const more = localPartEnd.exec(before)![0]
  return more === '' || isQuoted(more, after)
}

/** The characters of a local part that texts also put around words. */
const closers: Record<string, string> = { "'": "'", '`': '`', '*': '*', _: '_', '~': '~', '|': '|', '{': '}' }

/**
 * True if the text before the address is only opening marks, and the text after it begins with those that close them.
 */
function isQuoted(opening: string, after: string): boolean {
  const closing = [...opening].reverse().map((mark) => closers[mark])
  return !closing.includes(undefined) && after.startsWith(closing.join(''))
}

function isWholeNumber(before: string, after: string): boolean {
  return !/[\p{L}\p{N}_]$/u.test(before) && !/^(?:[\p{L}\p{N}]|[\w.!#$%&'*+/=?^`{|}~-]{0,64}@)/u.test(after)
}
