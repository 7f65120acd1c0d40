import { isAscii } from 'node:buffer'
import { findLeaves } from './leaves.ts'
import { toQuotedPrintablePart } from './quoted-printable-part.ts'

/**
 * The message with its 8-bit parts in quoted-printable, for servers without 8BITMIME (RFC 6152 3). What is signed or encrypted
 * stays as it is, and so do messages inside of messages.
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
