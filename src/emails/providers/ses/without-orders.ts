import { readFields } from '../../mime/source/fields.ts'

/**
 * The message without the header fields that Amazon SES obeys (`X-SES-…`: another configuration set, other tags, another
 * identity): these are the operator's to choose, and who writes an email is not. They are never signed.
 */
export function withoutOrders(raw: Buffer): Buffer {
  const orders = readFields(raw, 0, raw.length).fields.filter(({ name }) => name.startsWith('x-ses-'))
  if (orders.length === 0) return raw
  const starts = [0, ...orders.map(({ end }) => end)]
  const ends = [...orders.map(({ start }) => start), raw.length]
  return Buffer.concat(starts.map((start, index) => raw.subarray(start, ends[index])))
}
