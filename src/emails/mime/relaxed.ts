import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CR, LF } from './line-ends.ts'

const SPACE = 0x20
const TAB = 0x09
/** Octets hashed before other work gets its turn: one or two milliseconds. */
const turnBytes = 1 << 20
/** Unchanged stretches shorter than this are gathered: giving them to the hash one by one costs more than copying. */
const stretchBytesMin = 2048
const gatheredBytesMax = 16_384
const lineEnd = Buffer.from('\r\n')
const BLANK = Buffer.from(' ')

/** A header field in relaxed form, RFC 6376 3.4.2, without its line end. An octet is a character (Latin-1). */
export function relaxedField(field: string): string {
  const colon = field.indexOf(':')
  const name = withoutBlanks(field.slice(0, colon)).toLowerCase()
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
  return `${name}:${withoutBlanks(value)}`
}

/** SHA-256 in base64 of a body with CRLF line ends in relaxed form, RFC 6376 3.4.4; the body itself is not copied. */
export async function relaxedBodyHash(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  const end = endOfContent(body)
  for (let start = 0; start < end; ) {
    const turnEnd = endOfTurn(body, start, end)
    hashLines(hash, body.subarray(start, turnEnd))
    start = turnEnd
    if (start < end) await nextTurn()
  }
  if (end > 0) hash.update(lineEnd)
  return hash.digest('base64')
}

/** Not `trim`, to which the Latin-1 octets of other characters are blanks too. */
function withoutBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Behind the last octet that is neither a blank nor a line end: empty lines at the end count for nothing. */
function endOfContent(body: Buffer): number {
  let end = body.length
  while (end > 0 && (isBlank(body[end - 1]) || body[end - 1] === LF || body[end - 1] === CR)) end--
  return end
}

/** A turn ends where no run of blanks is cut in two. */
function endOfTurn(body: Buffer, start: number, end: number): number {
  let turnEnd = Math.min(start + turnBytes, end)
  while (turnEnd < end && isBlank(body[turnEnd - 1])) turnEnd++
  return turnEnd
}

/** Runs of blanks become one, and none before a line end. `lines` end with something that is no blank. */
function hashLines(hash: Hash, lines: Buffer): void {
  if (!lines.includes(SPACE) && !lines.includes(TAB)) {
    hash.update(lines) // base64, nearly always
    return
  }
  const gathered = gatherer(hash, Math.min(lines.length, gatheredBytesMax))
  let start = 0
  for (let i = 0; i < lines.length; i++) {
    if (!isBlank(lines[i])) continue
    const run = i
    while (isBlank(lines[i + 1])) i++
    const endsLine = lines[i + 1] === CR
    if (!endsLine && run === i && lines[i] === SPACE) continue
    gathered.add(lines, start, run)
    if (!endsLine) gathered.add(BLANK, 0, 1)
    start = i + 1
  }
  gathered.add(lines, start, lines.length)
  gathered.flush()
}

/** Short stretches wait in one buffer, long ones go to the hash from where they are. */
function gatherer(hash: Hash, sizeBytes: number) {
  const gathered = Buffer.allocUnsafe(sizeBytes)
  let at = 0
  const flush = () => {
    hash.update(gathered.subarray(0, at))
    at = 0
  }
  const add = (source: Buffer, start: number, end: number) => {
    if (at + end - start > sizeBytes || end - start >= stretchBytesMin) flush()
    if (end - start >= stretchBytesMin) hash.update(source.subarray(start, end))
    else at += source.copy(gathered, at, start, end)
  }
  return { add, flush }
}

function isBlank(octet: number | undefined): boolean {
  return octet === SPACE || octet === TAB
}
