import { base64SizeBytes, writeBase64 } from '../base64.ts'
import { LF, toCrlf } from '../line-ends.ts'
import { quotedPrintableSizeMax, toQuotedPrintable } from '../quoted-printable.ts'
import { fieldLine } from './fields.ts'
import type { Leaf } from './leaves.ts'

/** Octets that replace those of the message from `start` to the `bodyEnd` of a leaf. */
export type Part = { start: number; octets: Buffer }

const lineLengthMax = 998 // RFC 5322 2.1.1

/**
 * Returns a leaf with `content` as its body. Keeps its transfer encoding, unless that cannot carry the octets: lines
 * that became too long are written as quoted-printable, and line ends other than CRLF within quoted-printable as
 * base64.
 */
export function encodedPart(source: Buffer, leaf: Leaf, content: Buffer): Part {
  const { encoding, bodyStart, bodyEnd } = leaf
  if (encoding === 'base64') {
    const ends = source[bodyEnd - 1] === LF ? '\r\n' : ''
    return { start: bodyStart, octets: Buffer.concat([inBase64(content), Buffer.from(ends)]) }
  }
  const isPlain = encoding !== 'quoted-printable'
  if (isPlain && !hasLongLine(content)) return { start: bodyStart, octets: content }
  // Quoted-printable would make each of them a CRLF.
  if (toCrlf(content) !== content) return toBase64Part(source, leaf, content)
  return isPlain
    ? toQuotedPrintablePart(source, leaf, content)
    : { start: bodyStart, octets: inQuotedPrintable(content) }
}

export function toQuotedPrintablePart(source: Buffer, leaf: Leaf, content: Buffer): Part {
  return withEncoding(linesOf(source, leaf), leaf, 'quoted-printable', inQuotedPrintable(content))
}

/** Returns a leaf with its body in base64, and with other lines of its header if `lines` are given. */
export function toBase64Part(source: Buffer, leaf: Leaf, content: Buffer, lines = linesOf(source, leaf)): Part {
  const ends = Buffer.from('\r\n')
  return withEncoding(lines, leaf, 'base64', Buffer.concat([inBase64(content), ends]))
}

function linesOf(source: Buffer, { fields }: Leaf): string[] {
  return fields.filter(({ name }) => name !== 'content-transfer-encoding').map((field) => fieldLine(source, field))
}

function withEncoding(lines: string[], { start }: Leaf, encoding: string, body: Buffer): Part {
  const head = Buffer.from(`${lines.join('')}Content-Transfer-Encoding: ${encoding}\r\n\r\n`, 'latin1')
  return { start, octets: Buffer.concat([head, body]) }
}

function inQuotedPrintable(content: Buffer): Buffer {
  return toQuotedPrintable(content, quotedPrintableSizeMax(content.length, content.length, content.length))
}

function inBase64(content: Buffer): Buffer {
  const octets = Buffer.allocUnsafe(base64SizeBytes(content))
  writeBase64(content, octets, 0)
  return octets
}

function hasLongLine(content: Buffer): boolean {
  let start = 0
  for (let end = content.indexOf(LF); end !== -1; end = content.indexOf(LF, start)) {
    if (end - start > lineLengthMax + 1) return true
    start = end + 1
  }
  return content.length - start > lineLengthMax
}
