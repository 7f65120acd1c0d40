import { CR, LF } from '../line-ends.ts'
import { type Field, fieldValue, readFields } from './fields.ts'
import { type MediaType, readMediaType } from './media-type.ts'

/** A part that holds no others, where it stands. */
export type Leaf = {
  fields: Field[]
  bodyStart: number
  bodyEnd: number
  type: MediaType
  /** Of transfer, in lower case. */
  encoding: string
  /** A file, as opposed to a text that is shown. */
  isFile: boolean
  /** Inside `multipart/signed` or `multipart/encrypted`: one changed octet breaks it. */
  isSealed: boolean
}

/** A message that nests deeper, or has more parts, was not made to be read. */
const depthMax = 20
const partsMax = 500

/** The leaves of a message with CRLF line ends, in their order; null where it has too many parts, or they nest too deep. */
export function findLeaves(octets: Buffer): Leaf[] | null {
  const leaves: Leaf[] = []
  const open = [{ start: 0, end: octets.length, depth: 0, isSealed: false }]
  for (let parts = 0; open.length > 0; parts++) {
    const { start, end, depth, isSealed } = open.pop()!
    if (parts === partsMax || depth > depthMax) return null
    const { fields, bodyStart } = readFields(octets, start, end)
    const type = readMediaType(fieldValue(fields, 'content-type') ?? 'text/plain')
    const boundary = type.value.startsWith('multipart/') ? type.parameters.get('boundary') : undefined
    if (!boundary) {
      leaves.push(leafOf(fields, type, bodyStart, end, isSealed))
      continue
    }
    const sealed = isSealed || type.value === 'multipart/signed' || type.value === 'multipart/encrypted'
    const inner = split(octets, bodyStart, end, boundary)
    if (inner.length + parts > partsMax) return null
    for (const part of inner.reverse()) open.push({ ...part, depth: depth + 1, isSealed: sealed })
  }
  return leaves
}

function leafOf(fields: Field[], type: MediaType, bodyStart: number, bodyEnd: number, isSealed: boolean): Leaf {
  const disposition = readMediaType(fieldValue(fields, 'content-disposition') ?? '')
  const named = disposition.parameters.has('filename') || disposition.parameters.has('filename*')
  const isFile = disposition.value === 'attachment' || named || type.parameters.has('name')
  const encoding = readMediaType(fieldValue(fields, 'content-transfer-encoding') ?? '7bit').value
  return { fields, bodyStart, bodyEnd, type, encoding, isFile, isSealed }
}

/** What lies between the delimiter lines, RFC 2046 5.1.1; one part more than allowed at most. */
function split(octets: Buffer, start: number, end: number, boundary: string): { start: number; end: number }[] {
  const delimiter = Buffer.from(`--${boundary}`, 'utf8')
  const parts: { start: number; end: number }[] = []
  let partStart = -1
  for (let at = start; parts.length <= partsMax; ) {
    const found = octets.indexOf(delimiter, at)
    if (found === -1 || found + delimiter.length > end) break
    at = found + delimiter.length
    if (found !== start && !(octets[found - 1] === LF && octets[found - 2] === CR)) continue
    const isLast = octets[at] === DASH && octets[at + 1] === DASH
    const lineEnd = isLast ? at : endOfDelimiter(octets, at, end)
    if (lineEnd === -1) continue
    // The line end before a delimiter belongs to it.
    if (partStart !== -1) parts.push({ start: partStart, end: Math.max(partStart, found - 2) })
    partStart = isLast ? -1 : lineEnd
    if (isLast) return parts
    at = lineEnd
  }
  if (partStart !== -1 && partStart <= end) parts.push({ start: partStart, end })
  return parts
}

const DASH = 0x2d

/** Behind a delimiter's line; -1 where the line goes on, so that it is another, longer boundary. */
function endOfDelimiter(octets: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && (octets[at] === 0x20 || octets[at] === 0x09)) at++
  if (at >= end) return end
  return octets[at] === CR && octets[at + 1] === LF ? at + 2 : -1
}
