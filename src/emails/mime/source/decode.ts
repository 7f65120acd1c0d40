import { decodeCharset } from './charset.ts'
import { charsetOf } from './leaf-charset.ts'
import type { Leaf } from './leaves.ts'

/** Decodes the transfer encoding of a leaf. Ignores octets that the encoding does not allow, as mail clients do. */
export function decodeBody(octets: Buffer, { bodyStart, bodyEnd, encoding }: Leaf): Buffer {
  const body = octets.subarray(bodyStart, bodyEnd)
  if (encoding === 'base64') return fromBase64(body)
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body
}

/** Returns a leaf's text as clients show it; null if its character set is unknown. */
export function decodeText(octets: Buffer, leaf: Leaf): string | null {
  const content = decodeBody(octets, leaf)
  const { encoding } = charsetOf(leaf, content)
  return encoding === null ? null : decodeCharset(content, encoding)
}

/** Other octets than base64 within its lines: a text that a list or a server has added below. */
const addedText = /[^\sA-Za-z0-9+/]|\S[ \t]+\S/

/** More than a file of 40 MiB has lines. A message of padding alone would take seconds. */
const piecesMax = 1_000_000

/** Decodes base64, also with padding in the middle: some programs encode each line, or each piece of a file, apart. */
function fromBase64(body: Buffer): Buffer {
  const text = body.toString('latin1')
  let pad = text.indexOf('=')
  if (pad === -1) return Buffer.from(text, 'base64')
  const content = Buffer.allocUnsafe(body.length)
  let size = content.write(text.slice(0, pad), 'base64')
  for (let pieces = 0; pad !== -1 && pieces < piecesMax; pieces++) {
    const start = pad + 1
    pad = text.indexOf('=', start)
    const piece = text.slice(start, pad === -1 ? text.length : pad)
    if (addedText.test(piece)) break
    size += content.write(piece, size, 'base64')
  }
  return content.subarray(0, size)
}

const EQUALS = 0x3d
const blanks = [0x20, 0x09]

/** Decodes quoted-printable (RFC 2045 6.7): removes soft line breaks and leaves broken escapes unchanged. */
function fromQuotedPrintable(body: Buffer): Buffer {
  const target = Buffer.allocUnsafe(body.length)
  let to = 0
  for (let at = 0; at < body.length; at++) {
    const octet = body[at]!
    if (octet === EQUALS) {
      const softBreak = softBreakLength(body, at)
      const value = softBreak === 0 ? (hexDigit(body[at + 1]) << 4) | hexDigit(body[at + 2]) : 0
      if (softBreak > 0) at += softBreak
      else if (value >= 0) {
        target[to++] = value
        at += 2
      } else target[to++] = octet
      continue
    }
    target[to++] = octet
  }
  return target.subarray(0, to)
}

/** Returns the number of octets after the `=` that belong to its soft line break; 0 if it begins none. */
function softBreakLength(body: Buffer, equals: number): number {
  let at = equals + 1
  while (blanks.includes(body[at]!)) at++
  if (at >= body.length) return at - equals - 1 || 1
  if (body[at] === 0x0d && body[at + 1] === 0x0a) return at + 1 - equals
  return 0
}

/** Returns the value of a hexadecimal digit; -1 if it is another octet, which stays negative after a bitwise or. */
function hexDigit(octet: number | undefined): number {
  if (octet === undefined) return -1
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30
  const letter = octet | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
