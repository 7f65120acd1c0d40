import { CR, LF } from '../line-ends.ts'
import { type Field, fieldValue, readFields } from './fields.ts'
import { type MediaType, readMediaType } from './media-type.ts'

/** The header of the message or of a part, and its offsets; `bodyStart` is after the empty line. */
export type Head = { fields: Field[]; start: number; bodyStart: number }

/** A part without children, and the offsets of its body in the message. */
export type Leaf = Head & {
  bodyEnd: number
  type: MediaType
  /** The transfer encoding, in lower case. */
  encoding: string
  /** True for a file, false for a text that clients show. */
  isFile: boolean
  /** True inside `multipart/signed` or `multipart/encrypted`, where a changed octet breaks the seal. */
  isSealed: boolean
}

/** Messages that people write nest less deeply and have fewer parts. */
const depthMax = 20
const partsMax = 500

/**
 * Finds the leaves of a message with CRLF line ends, in order. Null if it has too many parts or they nest too deeply.
 */
export function findLeaves(octets: Buffer): Leaf[] | null {
  return findParts(octets)?.leaves ?? null
}

/** `multiparts` are the headers of parts with children. */
export type Parts = { leaves: Leaf[]; multiparts: (Head & { isSealed: boolean })[] }

/** Finds the parts of a message as above, and those with children, in order. */
export function findParts(octets: Buffer): Parts | null {
  const { leaves, multiparts }: Parts = { leaves: [], multiparts: [] }
  const open = [{ start: 0, end: octets.length, depth: 0, isSealed: false, unsaid: 'text/plain' }]
  for (let parts = 0; open.length > 0; parts++) {
    const { start, end, depth, isSealed, unsaid } = open.pop()!
    if (parts === partsMax || depth > depthMax) return null
    const { fields, bodyStart } = readFields(octets, start, end)
    const type = readMediaType(fieldValue(fields, 'content-type') ?? unsaid)
    const boundary = type.value.startsWith('multipart/') ? type.parameters.get('boundary') : undefined
    if (!boundary) {
      leaves.push(leafOf({ fields, start, bodyStart }, type, end, isSealed, depth === 0))
      continue
    }
    multiparts.push({ fields, start, bodyStart, isSealed })
    const sealed = isSealed || type.value === 'multipart/signed' || type.value === 'multipart/encrypted'
    const inner = split(octets, bodyStart, end, boundary)
    if (inner.length + parts > partsMax) return null
    // The parts of a digest are messages unless they say otherwise (RFC 2046 5.1.5).
    const inside = {
      depth: depth + 1,
      isSealed: sealed,
      unsaid: type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
    }
    for (const part of inner.reverse()) open.push({ ...part, ...inside })
  }
  return { leaves, multiparts }
}

function leafOf(head: Head, type: MediaType, bodyEnd: number, isSealed: boolean, isWhole: boolean): Leaf {
  const { fields } = head
  const disposition = readMediaType(fieldValue(fields, 'content-disposition') ?? '')
  const isNamed = [...disposition.parameters.keys(), ...type.parameters.keys()].some((key) => fileName.test(key))
  // The only part of a message is what clients show, even if it has a name.
  const isFile = disposition.value === 'attachment' || (isNamed && !isWhole)
  const encoding = readMediaType(fieldValue(fields, 'content-transfer-encoding') ?? '7bit').value
  return { ...head, bodyEnd, type, encoding, isFile, isSealed }
}

/** The parameter with a file's name, also in the forms and sections of RFC 2231. */
const fileName = /^(?:file)?name(?:\*|$)/

/** Returns the parts between the delimiter lines (RFC 2046 5.1.1), at most one more than allowed. */
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
    // The line end before a delimiter belongs to the delimiter.
    if (partStart !== -1) parts.push({ start: partStart, end: Math.max(partStart, found - 2) })
    partStart = isLast ? -1 : lineEnd
    if (isLast) return parts
    at = lineEnd
  }
  if (partStart !== -1 && partStart <= end) parts.push({ start: partStart, end })
  return parts
}

const DASH = 0x2d

/**
 * Returns the offset after a delimiter's line; -1 if the line goes on, because it then has another, longer boundary.
 */
function endOfDelimiter(octets: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && (octets[at] === 0x20 || octets[at] === 0x09)) at++
  if (at >= end) return end
  return octets[at] === CR && octets[at + 1] === LF ? at + 2 : -1
}
