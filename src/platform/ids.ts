import { randomBytes } from 'node:crypto'

/** The id before every other one: paging by id begins after it. */
export const nilId = '00000000-0000-0000-0000-000000000000'

/** UUIDs ordered by time (RFC 9562, version 7): lists walk newest first by id alone. */
export type NewId = (at: Date) => string

/**
 * Makes ids that increase even if the clock goes back. With more than 4096 in a millisecond it uses the next
 * millisecond.
 */
export function idGenerator(): NewId {
  let lastMs = 0
  let sequence = 0
  return (at) => {
    const ms = at.getTime()
    if (ms > lastMs) {
      lastMs = ms
      sequence = Number.parseInt(randomHex(1), 16) // leaves space, since 12 bits hold 4096
    } else if (++sequence > 0xfff) {
      lastMs += 1
      sequence = 0
    }
    return formatV7(lastMs, sequence)
  }
}

/** Returns the usual form of an id of 32 hexadecimal digits. */
export function uuidOfHex(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the time of an id, in milliseconds. */
export function idTimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Tells whether a value is an id in its usual form, in upper or lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}

/**
 * Returns the id that sorts before all ids of this time or later, and after all earlier ones. A time before 1970, which
 * no id has, is the beginning of 1970.
 */
export function firstIdAt(at: Date): string {
  const time = Math.max(at.getTime(), 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Holds random bytes ahead, since a call of `randomBytes` takes longer than all else that makes an id. */
const pool = { bytes: Buffer.alloc(0), offset: 0 }

function randomHex(byteCount: number): string {
  if (pool.offset + byteCount > pool.bytes.length) {
    pool.bytes = randomBytes(4096)
    pool.offset = 0
  }
  pool.offset += byteCount
  return pool.bytes.toString('hex', pool.offset - byteCount, pool.offset)
}

function formatV7(ms: number, sequence: number): string {
  const time = ms.toString(16).padStart(12, '0')
  const tail = randomHex(8)
  const variant = ((Number.parseInt(tail[0]!, 16) & 0x3) | 0x8).toString(16)
  const order = sequence.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
}
