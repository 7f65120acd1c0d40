import { CR, LF } from './line-ends.ts'

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
 * Quoted-printable with every line end (CR, LF or CRLF) as CRLF. Also escaped: a dot that begins a line, which careless
 * relays lose, and the F of `From `, which some mailboxes turn into `>From `; either would break a signature.
 * `sizeMax` bounds the result: see `quotedPrintableSizeMax`.
 */
export function toQuotedPrintable(octets: Buffer, sizeMax: number): Buffer {
  const target = Buffer.allocUnsafe(sizeMax)
  const length = octets.length
  let at = 0
  let column = 0
  let i = 0
  while (i < length) {
    let octet = octets[i]!
    // most of any text: no call, no look around
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
      continue // anew, as the first of its line
    }
    at = literal ? writeLiteral(target, at, octet) : writeEscape(target, at, octet)
    column += width
    i++
  }
  return target.subarray(0, at)
}

/** No result is longer: `escapes` octets at most grow to three, `bareLineEnds` to two, and soft breaks come after 73 at the earliest. */
export function quotedPrintableSizeMax(sizeBytes: number, escapes: number, bareLineEnds: number): number {
  const contentMax = sizeBytes + 2 * escapes + bareLineEnds
  const lengthMin = contentLengthMax + 1 - escapeLength
  return contentMax + (2 + escapeLength) * Math.ceil(contentMax / lengthMin)
}

/** RFC 2045 6.7 (2): what stands for itself anywhere in a line. */
export function isLiteral(octet: number): boolean {
  return literalOctets[octet] === 1
}

/** RFC 2045 6.7 (3): a blank may stand for itself unless it ends the line. */
export function isInnerBlank(octets: Buffer, i: number): boolean {
  if (octets[i] !== SPACE && octets[i] !== TAB) return false
  if (i + 1 === octets.length) return false
  const next = octets[i + 1]
  return next !== CR && next !== LF
}

/** Of what begins a line: the dot and the `From ` told of above. */
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

function writeLineEnd(target: Buffer, at: number): number {
  target[at] = CR
  target[at + 1] = LF
  return at + 2
}
