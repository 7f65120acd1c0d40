import { isAscii } from 'node:buffer'
import { asciiHeaders } from './ascii-headers.ts'
import { readFields } from './fields.ts'
import { toSevenBit } from './seven-bit.ts'

/**
 * Returns a message as a server takes it that does not offer 8BITMIME, SMTPUTF8 or both. Returns the same buffer if
 * nothing changes. Header fields that are not UTF-8 are encoded for every server.
 */
export function encodedSource(source: Buffer, taken: { eightBitMime: boolean; smtpUtf8: boolean }): Buffer {
  // Without UTF-8 in its header, a message needs no SMTPUTF8, and is not announced so.
  const keepsUtf8 = taken.smtpUtf8 && !isAscii(source.subarray(0, readFields(source, 0, source.length).bodyStart))
  return asciiHeaders(taken.eightBitMime ? source : toSevenBit(source), keepsUtf8)
}
