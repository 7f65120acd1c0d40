import { isUtf8 } from 'node:buffer'
import { decodeCharset, encodingOf } from './charset.ts'

const word = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([QqBb])\?([^?]*)\?=/g
const blanks = /^[ \t\r\n]+$/
/** A file's name in sections (RFC 2231 3), which programs write in their order. */
const sections = /\b((?:file)?name)\*0\*=([\w.:-]+)'[^']*'([^\s;"']*)((?:;\s*\1\*\d{1,3}\*?=(?:"[^"]*"|[^\s;"]*))+)/gi
const section = /\*\d+(\*?)=(?:"([^"]*)"|([^\s;"]*))/g
/** A parameter in one section (RFC 2231 4). */
const extended = /\*=([\w.:-]+)'[^']*'((?:%[\dA-Fa-f]{2}|[^\s;%"'])+)/g

/**
 * Returns a header's text with its encoded words (RFC 2047) and parameters (RFC 2231) in UTF-8, wherever they are in
 * another character set that we know. Words that follow each other are read as one, because some mailers cut
 * characters.
 */
export function wordsInUtf8(text: string): string {
  if (!text.includes('=')) return text
  return encodedWordsInUtf8(text)
    .replace(sections, (written, name: string, label: string, first: string, others: string) => {
      const encoding = foreignEncoding(label)
      return encoding === null ? written : `${name}${parameterOf([escaped(first), ...othersOf(others)], encoding)}`
    })
    .replace(extended, (written, label: string, value: string) => {
      const encoding = foreignEncoding(label)
      return encoding === null ? written : parameterOf([escaped(value)], encoding)
    })
}

/** Sections of one character set may cut a character, so their octets are decoded together. */
function parameterOf(octets: Buffer[], encoding: string): string {
  const text = Buffer.from(decodeCharset(Buffer.concat(octets), encoding))
  return `*=utf-8''${text.toString('hex').replace(/../g, '%$&')}`
}

function othersOf(written: string): Buffer[] {
  return [...written.matchAll(section)].map(([, isEscaped, quoted, bare]) =>
    isEscaped ? escaped(bare ?? quoted ?? '') : Buffer.from(quoted ?? bare ?? ''),
  )
}

function escaped(value: string): Buffer {
  return withoutEscapes(value, /%([\dA-F]{2})/gi)
}

function encodedWordsInUtf8(text: string): string {
  const pieces: string[] = []
  let run = null as Run | null
  let at = 0
  for (const match of text.matchAll(word)) {
    const [written, label = '', form = '', encoded = ''] = match
    const encoding = encodingOf(label)
    const between = text.slice(at, match.index)
    if (run?.encoding !== encoding || !blanks.test(between)) {
      pieces.push(wordOf(run), between)
      run = encoding === null ? null : { encoding, octets: [], written }
    } else if (run) run.written += between + written
    if (run) run.octets.push(octetsOf(form, encoded))
    else pieces.push(written)
    at = match.index + written.length
  }
  return at === 0 ? text : [...pieces, wordOf(run), text.slice(at)].join('')
}

/** Words of one encoding that follow each other. */
type Run = { encoding: string; octets: Buffer[]; written: string }

/** Returns the encoding of a label; null if it is unknown, or needs no change. */
function foreignEncoding(label: string): string | null {
  const encoding = encodingOf(label)
  return encoding === 'utf-8' ? null : encoding
}

function wordOf(run: Run | null): string {
  if (!run) return ''
  // Words of whole characters stay as they were written.
  if (run.encoding === 'utf-8' && run.octets.every((octets) => isUtf8(octets))) return run.written
  const text = decodeCharset(Buffer.concat(run.octets), run.encoding)
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

function octetsOf(form: string, encoded: string): Buffer {
  if (form.toUpperCase() === 'B') return Buffer.from(encoded, 'base64')
  return withoutEscapes(encoded.replace(/[_\s]/g, ' '), /=([\dA-F]{2})/gi)
}

function withoutEscapes(text: string, form: RegExp): Buffer {
  const octets = text.replace(form, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(octets, 'latin1')
}
