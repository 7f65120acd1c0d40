import { writeLineEnd } from './line-ends.ts'

const lineLength = 76 // RFC 2045 6.8
const lineOctets = 57 // three quarters of `lineLength`
/** The number of lines encoded at once: large enough to be fast, small enough to need little memory. */
const linesAtOnce = 1024

/** Returns the size in octets of `content` as base64 in lines of 76, without a line end after the last. */
export function base64SizeBytes(content: Buffer): number {
  const length = Math.ceil(content.length / 3) * 4
  return length + 2 * Math.max(0, Math.ceil(length / lineLength) - 1)
}

/**
 * Writes `content` as base64 lines at `offset` of `target`. Encodes each block at the end of its space in `target` and
 * then moves its lines forward, so that a large file is never held in memory twice.
 */
export function writeBase64(content: Buffer, target: Buffer, offset: number): void {
  let at = offset
  for (let start = 0; start < content.length; start += lineOctets * linesAtOnce) {
    const stretch = content.subarray(start, start + lineOctets * linesAtOnce)
    const encoded = stretch.toString('base64')
    const end = at + base64SizeBytes(stretch)
    const from = end - encoded.length
    target.write(encoded, from, 'latin1')
    for (let line = from; line < end; line += lineLength) {
      target.copyWithin(at, line, Math.min(line + lineLength, end))
      at += Math.min(lineLength, end - line)
      if (line + lineLength < end) at = writeLineEnd(target, at)
    }
    if (start + stretch.length < content.length) at = writeLineEnd(target, at)
  }
}
