import { isAscii } from 'node:buffer'
import { asciiHeaders, control } from './ascii-headers.ts'
import { decodeBody } from './decode.ts'
import { encodedPart, type Part, toQuotedPrintablePart } from './encoded-part.ts'
import { readFields } from './fields.ts'
import { findLeaves, type Leaf } from './leaves.ts'

/** Tells whether `encodedSource` may change a submitted message for some server. */
export function mayBeEncoded(source: Buffer): boolean {
  return !isAscii(source) || control.test(source.toString('latin1'))
}

/**
 * Returns a message as a server takes it that does not offer 8BITMIME, SMTPUTF8 or both. Returns the same buffer if
 * nothing changes. Header fields that are not UTF-8 are encoded for every server.
 */
export function encodedSource(source: Buffer, taken: { eightBitMime: boolean; smtpUtf8: boolean }): Buffer {
  // Without UTF-8 in its header, a message needs no SMTPUTF8, and is not announced so.
  const keepsUtf8 = taken.smtpUtf8 && !isAscii(source.subarray(0, readFields(source, 0, source.length).bodyStart))
  return asciiHeaders(taken.eightBitMime ? source : toSevenBit(source), keepsUtf8)
}

/**
 * Returns the message with its 8-bit parts in quoted-printable, for servers without 8BITMIME (RFC 6152 3). Signed and
 * encrypted parts and messages inside the message stay unchanged.
 */
function toSevenBit(source: Buffer): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (const leaf of findLeaves(source) ?? []) {
    const body = source.subarray(leaf.bodyStart, leaf.bodyEnd)
    if (leaf.isSealed || leaf.type.value.startsWith('message/') || isAscii(body)) continue
    const part = sevenBitPart(source, leaf, body)
    pieces.push(source.subarray(at, part.start), part.octets)
    at = leaf.bodyEnd
  }
  return Buffer.concat([...pieces, source.subarray(at)])
}

/** Some programs put 8-bit text into an encoded part. Encoding that anew would show the first encoding to readers. */
function sevenBitPart(source: Buffer, leaf: Leaf, body: Buffer): Part {
  const isEncoded = leaf.encoding === 'base64' || leaf.encoding === 'quoted-printable'
  return isEncoded ? encodedPart(source, leaf, decodeBody(source, leaf)) : toQuotedPrintablePart(source, leaf, body)
}
