import { isRelayOrder } from '../relay-orders.ts'
import { readFields } from './fields.ts'

/** Returns a complete message without the header fields that control a mail service. */
export function withoutOrders(raw: Buffer): Buffer {
  const orders = readFields(raw, 0, raw.length).fields.filter(({ name }) => isRelayOrder(name))
  if (orders.length === 0) return raw
  const starts = [0, ...orders.map(({ end }) => end)]
  const ends = [...orders.map(({ start }) => start), raw.length]
  return Buffer.concat(starts.map((start, index) => raw.subarray(start, ends[index])))
}
