import { createHash, type Hash, hash as hashOnce } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CR, LF } from './line-ends.ts'

const SPACE = 0x20
const TAB = 0x09
/** The number of octets hashed before the event loop runs other work: one to two milliseconds. */
const turnBytes = 1 << 20
/** Shorter unchanged pieces are gathered, because hashing them one by one costs more than copying. */
const stretchBytesMin = 2048
const gatheredBytesMax = 16_384
const lineEnd = Buffer.from('\r\n')
const BLANK = Buffer.from(' ')

/**
 * Returns a header field in relaxed form (RFC 6376 3.4.2), without its line end. Each character is one octet (Latin-1).
 */
export function relaxedField(field: string): string {
  const colon = field.indexOf(':')
  const name = withoutBlanks(field.slice(0, colon)).toLowerCase()
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
  return `${name}:${withoutBlanks(value)}`
}

/**
 * Returns the SHA-256, in base64, of the relaxed form (RFC 6376 3.4.4) of a body with CRLF line ends. Does not copy the
 * body.
 */
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

/**
 * Returns the same hash of a body that is in relaxed form already, except for empty lines at the end; it ends with a
 * line end.
 */
export function hashOfRelaxed(body: Buffer): string {
  const end = endOfContent(body)
  return hashOnce('sha256', body.subarray(0, end === 0 ? 0 : end + lineEnd.length), 'base64')
}

/** Trims spaces and tabs only; `trim` would also remove octets of other characters, such as 0xA0. */
function withoutBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/**
 * Returns the offset after the last octet that is neither a blank nor part of a line end. Ignores empty lines at the
 * end.
 */
function endOfContent(body: Buffer): number {
  let end = body.length
  while (end > 0 && (isBlank(body[end - 1]) || body[end - 1] === LF || body[end - 1] === CR)) end--
  return end
}

/** Returns the end of the next turn, so that no run of blanks is cut in two. */
function endOfTurn(body: Buffer, start: number, end: number): number {
  let turnEnd = Math.min(start + turnBytes, end)
  while (turnEnd < end && isBlank(body[turnEnd - 1])) turnEnd++
  return turnEnd
}

/**
 * Hashes lines with each run of blanks as one space, and without blanks before a line end. `lines` does not end with a
 * blank.
 */
function hashLines(hash: Hash, lines: Buffer): void {
  if (!lines.includes(SPACE) && !lines.includes(TAB)) {
    hash.update(lines) // in most cases base64
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

/** Gathers short pieces in one buffer, and hashes long ones without a copy. */
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
