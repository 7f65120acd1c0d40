import { isAscii } from 'node:buffer'
import { toQuotedPrintablePart } from './encoded-part.ts'
import { findLeaves } from './leaves.ts'

/**
 * Returns the message with its 8-bit parts in quoted-printable, for servers without 8BITMIME (RFC 6152 3). Signed and
 * encrypted parts and messages inside the message stay unchanged.
 */
export function toSevenBit(source: Buffer): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (const leaf of findLeaves(source) ?? []) {
    const body = source.subarray(leaf.bodyStart, leaf.bodyEnd)
    if (leaf.isSealed || leaf.type.value.startsWith('message/') || isAscii(body)) continue
    const part = toQuotedPrintablePart(source, leaf, body)
    pieces.push(source.subarray(at, part.start), part.octets)
    at = leaf.bodyEnd
  }
  return Buffer.concat([...pieces, source.subarray(at)])
}
