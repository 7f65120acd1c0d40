import { domainToASCII } from 'node:url'
import { encodeWords } from './encoded-words.ts'

/**
 * `fault` says which part of the value ASCII cannot carry. `tokens` then stand for it as well as they can (RFC 6857
 * 3.1).
 */
type Structured = { tokens: string[]; fault: string | null }

/** A comment, a value in angle brackets, an address or word in quotes, a separator, or a run of other characters. */
const piece = new RegExp(
  [
    String.raw`\(((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\)?)*)\)?`,
    '<([^<>]*)>?',
    String.raw`"(?:[^"\\]|\\.)*"@[^ \t"(),;<>]+`,
    String.raw`"((?:[^"\\]|\\.)*)"?`,
    String.raw`[^ \t"(),;<>]+?(?=:?(?:[ \t"(),;<>]|$))`,
    '[,;:)>]',
  ].join('|'),
  'gsu',
)
const beyondAscii = /[^\0-\x7f]/
const uriForm = /^[a-z][a-z\d+.-]*:[^ \t:]/i
const wordLengthMax = 60 // leaves room for what precedes the word in its line

/**
 * Writes the value of a structured header field in ASCII, as tokens to put blanks or folds between. Encodes words and
 * comments (RFC 2047), writes domains in punycode and percent-encodes URIs. `isIds`: values in angle brackets are
 * message ids.
 */
export function structuredTokens(value: string, isIds: boolean): Structured {
  const result: Structured = { tokens: [], fault: null }
  if (uriForm.test(value) && !/[<\s]/.test(value)) return { tokens: [asciiUri(value.toWellFormed())], fault: null }
  let words: { raw: string; text: string }[] = []
  const endPhrase = () => {
    result.tokens.push(...phraseTokens(words))
    words = []
  }
  for (const match of value.toWellFormed().matchAll(piece)) {
    const [raw, comment, angle, quoted] = match
    if (comment !== undefined || angle !== undefined) endPhrase()
    if (comment !== undefined) result.tokens.push(...commentTokens(raw, comment))
    else if (angle !== undefined) angleTokens(result, raw, angle.trim(), isIds)
    else if (raw === ',' || raw === ';') {
      endPhrase()
      result.tokens.push(`${result.tokens.pop() ?? ''}${raw}`)
    } else if (quoted === undefined && beyondAscii.test(raw) && (raw.includes('@') || uriForm.test(raw))) {
      endPhrase()
      angleTokens(result, raw, raw, false)
    } else words.push({ raw, text: quoted === undefined ? raw : quoted.replace(/\\(.)/gsu, '$1') })
  }
  endPhrase()
  return result
}

/** Leaves a phrase in ASCII as it was written, and words of it that are encoded already. */
function phraseTokens(words: { raw: string; text: string }[]): string[] {
  if (!words.some(({ text }) => beyondAscii.test(text))) return words.map(({ raw }) => raw)
  const tokens: string[] = []
  let open: string[] = []
  const encode = () => {
    if (open.length > 0) tokens.push(...encodeWords(open.join(' '), wordLengthMax))
    open = []
  }
  for (const { raw, text } of words) {
    if (isReady(raw)) {
      encode()
      tokens.push(raw)
    } else open.push(text)
  }
  encode()
  return tokens
}

function isReady(raw: string): boolean {
  return /^=\?[^?\s]+\?[bq]\?[^?\s]*\?=$/i.test(raw) || /^[^"].*@|^:$/.test(raw)
}

function commentTokens(raw: string, comment: string): string[] {
  if (!beyondAscii.test(comment)) return [raw]
  const words = encodeWords(comment.replace(/\\(.)/gsu, '$1'), wordLengthMax)
  return words.map((word, at) => `${at === 0 ? '(' : ''}${word}${at === words.length - 1 ? ')' : ''}`)
}

/** Adds an address, message id, name of a list or URI, in the brackets that it was written in. */
function angleTokens(result: Structured, raw: string, value: string, isId: boolean): void {
  const ascii =
    beyondAscii.test(value) || (uriForm.test(value) && value.includes(' ')) ? asciiValue(value, isId) : value
  const [open, close] = raw.startsWith('<') ? ['<', '>'] : ['', '']
  if (ascii !== null) {
    result.tokens.push(`${open}${ascii}${close}`)
    return
  }
  result.fault ??= `holds ${value.slice(0, 80)}, which cannot be written in ASCII`
  if (isId) result.tokens.push(`<${percentEncoded(value)}>`)
  else result.tokens.push(...encodeWords(value, wordLengthMax), ':;')
}

/** Null if the value has no form in ASCII: a message id, or the local part of an address. */
function asciiValue(value: string, isId: boolean): string | null {
  if (isId) return null
  if (uriForm.test(value)) return asciiUri(value)
  const at = value.lastIndexOf('@')
  const domain = domainToASCII(value.slice(at + 1))
  return domain === '' || beyondAscii.test(value.slice(0, at + 1)) ? null : `${value.slice(0, at + 1)}${domain}`
}

/** Writes the host of a URI, or the domain of a `mailto:`, in punycode, and percent-encodes the rest (RFC 3987 3.1). */
function asciiUri(uri: string): string {
  const [, before = '', host = '', rest = uri] =
    /^([a-z][\w+.-]*:\/\/(?:[^/?#@]*@)?|mailto:[^?@]*@)([^/?#:@]+)(.*)$/isu.exec(uri) ?? []
  return percentEncoded(`${before}${(beyondAscii.test(host) && domainToASCII(host)) || host}${rest}`)
}

function percentEncoded(text: string): string {
  return text.replace(/[^!-~]/gu, encodeURIComponent)
}
