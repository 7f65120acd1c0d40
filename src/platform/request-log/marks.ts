import { type RawBuilder, sql } from 'kysely'

/** With 16 bits and 6 marks for each value, one page in a thousand is read in vain. */
const bytesOfValue = 2
const marksOfValue = 6
const bytesMin = 8

/** The fields by which a page can be found. */
const fields = ['status', 'path', 'apiKeyId'] as const
type Wanted = { status?: number | undefined; path?: string | undefined; apiKeyId?: string | null | undefined }

/** Returns a Bloom filter over the statuses, paths and keys of requests, so that most pages are passed over unread. */
export function marksOf(requests: readonly Required<Wanted>[]): Buffer {
  const values = fields.map((field) => new Set(requests.map((request) => request[field])))
  const size = values.reduce((sum, { size }) => sum + size, 0)
  const marks = Buffer.alloc(Math.max(bytesMin, size * bytesOfValue))
  const bits = marks.length * 8
  for (const [at, field] of fields.entries()) {
    for (const value of values[at]!) {
      for (const number of numbersOf(field, value)) {
        const bit = number % bits
        marks[bit >> 3]! |= 1 << (bit & 7)
      }
    }
  }
  return marks
}

/** Returns a condition on the column `marks`: false for pages that hold no request with all of these values. */
export function mayHold(wanted: Wanted): RawBuilder<boolean> {
  const given = fields.filter((field) => wanted[field] !== undefined)
  if (given.length === 0) return sql`true`
  const numbers = given.flatMap((field) => [...numbersOf(field, wanted[field])])
  const isMarked = numbers.map((number) => sql`get_bit(marks, ${number}::bigint % (octet_length(marks) * 8)) = 1`)
  return sql<boolean>`(marks is null or ${sql.join(isMarked, sql` and `)})`
}

/** Returns the numbers whose bits a value of a field sets: two FNV-1a hashes of 32 bits, combined. */
function numbersOf(field: string, value: unknown): Uint32Array {
  const text = `${field} ${value}`
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b)
  }
  const numbers = new Uint32Array(marksOfValue)
  for (let at = 0; at < marksOfValue; at++) numbers[at] = one + Math.imul(other | 1, at)
  return numbers
}
