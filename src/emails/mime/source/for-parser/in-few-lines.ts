import { LF } from '../../line-ends.ts'
import { decodeBody } from '../decode.ts'
import { toBase64Part } from '../encoded-part.ts'
import { fieldValue } from '../fields.ts'
import { findParts, type Leaf } from '../leaves.ts'
import { readMediaType } from '../media-type.ts'

/** The most lines of a body, or between two parts. The parser keeps two objects for each line. */
const linesMax = 20_000
/** The most padding characters of a base64 body. The parser keeps an object for each piece that ends with one. */
const padsMax = 1000

const PAD = 0x3d

/**
 * Returns a message that the parser reads with little memory: bodies of many lines are in base64, and what stands
 * between parts without being shown is left out if it is long. Otherwise 4 MB of empty lines take 3 GB. Returns the
 * same buffer if nothing changes.
 */
export function inFewLines(source: Buffer): Buffer {
  if (!hasMore(source, LF, linesMax) && !hasMore(source, PAD, padsMax)) return source
  const parts = findParts(source)
  if (!parts) return source
  const heads = parts.multiparts.map(({ start, bodyStart }) => ({ start, end: bodyStart, octets: null }))
  const leaves = parts.leaves.map((leaf) => ({
    start: leaf.start,
    end: leaf.bodyEnd,
    octets: shorterLeaf(source, leaf),
  }))
  const delimiters = parts.multiparts.map(
    ({ fields }) => `--${readMediaType(fieldValue(fields, 'content-type') ?? '').parameters.get('boundary')}`,
  )
  const pieces: Buffer[] = []
  let at = 0
  for (const { start, end, octets } of [...heads, ...leaves].sort((one, other) => one.start - other.start)) {
    pieces.push(shorterGap(source.subarray(at, start), delimiters), octets ?? source.subarray(start, end))
    at = end
  }
  return Buffer.concat([...pieces, shorterGap(source.subarray(at), delimiters)])
}

/** Null for a leaf that stays. */
function shorterLeaf(source: Buffer, leaf: Leaf): Buffer | null {
  const { encoding, bodyStart, bodyEnd } = leaf
  const body = source.subarray(bodyStart, bodyEnd)
  if (encoding === 'base64') {
    return hasMore(body, PAD, padsMax) ? toBase64Part(source, leaf, decodeBody(source, leaf)).octets : null
  }
  if (encoding === 'quoted-printable' || !hasMore(body, LF, linesMax)) return null
  // The line ends that the parser makes.
  const content = Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  return toBase64Part(source, leaf, content).octets
}

/** Keeps the delimiters of what stands between two parts, once each. */
function shorterGap(gap: Buffer, delimiters: string[]): Buffer {
  if (!hasMore(gap, LF, linesMax)) return gap
  const lines = gap.toString('latin1').split('\r\n')
  const kept = new Set(lines.filter((line) => delimiters.some((delimiter) => line.startsWith(delimiter))))
  return Buffer.from(`\r\n${[...kept].join('\r\n')}\r\n`, 'latin1')
}

function hasMore(octets: Buffer, octet: number, max: number): boolean {
  let count = 0
  for (let at = octets.indexOf(octet); at !== -1; at = octets.indexOf(octet, at + 1)) if (++count > max) return true
  return false
}
