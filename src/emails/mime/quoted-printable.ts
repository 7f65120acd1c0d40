import { CR, LF, writeLineEnd } from './line-ends.ts'

const contentLengthMax = 75 // RFC 2045 6.7 (5): 76 with the `=` of a soft line break
const escapeLength = 3
const SPACE = 0x20
const TAB = 0x09
const EQUALS = 0x3d
const DOT = 0x2e
const fromWord = Buffer.from('From ')
const hex = Buffer.from('0123456789ABCDEF')
const literalOctets = Uint8Array.from({ length: 256 }, (_, octet) =>
  Number(octet > SPACE && octet < 0x7f && octet !== EQUALS),
)

/**
 * Encodes as quoted-printable, with every line end (CR, LF or CRLF) as CRLF. Also escapes a dot at the start of a line,
 * which some relays lose, and the F of `From ` there, which some mailboxes turn into `>From `; both break signatures.
 * `sizeMax` is the result's greatest size in octets: see `quotedPrintableSizeMax`.
 */
export function toQuotedPrintable(octets: Buffer, sizeMax: number): Buffer {
  const target = Buffer.allocUnsafe(sizeMax)
  const length = octets.length
  let at = 0
  let column = 0
  let i = 0
  while (i < length) {
    let octet = octets[i]!
    // The fast path for most of any text.
    while (column > 0 && column < contentLengthMax && literalOctets[octet] === 1) {
      target[at++] = octet
      column++
      if (++i === length) return target.subarray(0, at)
      octet = octets[i]!
    }
    if (octet === LF || octet === CR) {
      i += octet === CR && octets[i + 1] === LF ? 2 : 1
      at = writeLineEnd(target, at)
      column = 0
      continue
    }
    const literal = isLiteral(octet) ? column > 0 || !isRiskyStart(octets, i) : isInnerBlank(octets, i)
    const width = literal ? 1 : escapeLength
    if (column + width > contentLengthMax) {
      target[at++] = EQUALS
      at = writeLineEnd(target, at)
      column = 0
      continue // handles the same octet again, now as the first of its line
    }
    at = literal ? writeLiteral(target, at, octet) : writeEscape(target, at, octet)
    column += width
    i++
  }
  return target.subarray(0, at)
}

/**
 * Returns the greatest size of the result: an escape takes three octets, a line end two, a soft break follows 73 or
 * more.
 */
export function quotedPrintableSizeMax(sizeBytes: number, escapes: number, bareLineEnds: number): number {
  const contentMax = sizeBytes + 2 * escapes + bareLineEnds
  const lengthMin = contentLengthMax + 1 - escapeLength
  return contentMax + (2 + escapeLength) * Math.ceil(contentMax / lengthMin)
}

/** Tells whether an octet needs no escape anywhere in a line (RFC 2045 6.7 (2)). */
export function isLiteral(octet: number): boolean {
  return literalOctets[octet] === 1
}

/** Tells whether there is a blank that needs no escape, because it does not end the line (RFC 2045 6.7 (3)). */
export function isInnerBlank(octets: Buffer, i: number): boolean {
  if (octets[i] !== SPACE && octets[i] !== TAB) return false
  if (i + 1 === octets.length) return false
  const next = octets[i + 1]
  return next !== CR && next !== LF
}

/** Tells whether a line that begins at `i` begins with a dot or with `From `. */
export function isRiskyStart(octets: Buffer, i: number): boolean {
  if (octets[i] === DOT) return true
  return octets[i] === fromWord[0] && octets.subarray(i, i + fromWord.length).equals(fromWord)
}

function writeLiteral(target: Buffer, at: number, octet: number): number {
  target[at] = octet
  return at + 1
}

function writeEscape(target: Buffer, at: number, octet: number): number {
  target[at] = EQUALS
  target[at + 1] = hex[octet >> 4]!
  target[at + 2] = hex[octet & 15]!
  return at + escapeLength
}
