/**
 * The content of a backup, before it is compressed: a header, then each table with its rows in PostgreSQL's text form
 * of COPY, then the end. A record is its type, the length of its body as 32 bits, and the body.
 */
export type BackupRecord =
  | { type: 'header'; body: Header }
  | { type: 'table'; body: { name: string } }
  | { type: 'data'; body: Buffer }
  | { type: 'table-end'; body: { rows: number } }
  | { type: 'end'; body: { rows: number } }

export type Header = {
  /** The version of Posthorn that wrote it. */
  posthorn: string
  /** The time that it shows, in ISO 8601. */
  madeAt: string
  /** Those that had run. The schema is made from them. */
  migrations: { name: string; hash: string }[]
  tables: BackupTable[]
  partitions: Partition[]
  sequences: SequenceState[]
  /** APP_SECRET, then APP_SECRET_PREVIOUS. */
  secrets: string[]
}

export type BackupTable = { name: string; columns: string[]; isPartitioned: boolean }
/** `bound` as PostgreSQL writes it, such as `FOR VALUES FROM ('…') TO ('…')`. */
export type Partition = { name: string; parent: string; bound: string }
/** The sequence of an identity column. `value` is a bigint in digits. */
export type SequenceState = { table: string; column: string; value: string; isCalled: boolean }

const types = ['header', 'table', 'data', 'table-end', 'end'] as const
const headBytes = 5
/** A header lists all tables. Data come in smaller blocks. */
const bodyMaxBytes = 16 * 1024 * 1024

export function writeRecord(record: BackupRecord): Buffer {
  const body = record.type === 'data' ? record.body : Buffer.from(JSON.stringify(record.body))
  const head = Buffer.allocUnsafe(headBytes)
  head.writeUInt8(types.indexOf(record.type), 0)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

/** Reads records. Throws if the bytes are none, or end before the end record. */
export async function* readRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord, void, undefined> {
  const take = takerOf(bytes)
  for (;;) {
    const head = await take(headBytes)
    const type = types[head.readUInt8(0)]
    const length = head.readUInt32BE(1)
    if (type === undefined || length > bodyMaxBytes) throw new Error('The backup has a part that cannot be read.')
    const body = await take(length)
    yield { type, body: type === 'data' ? body : JSON.parse(body.toString()) } as BackupRecord
    if (type === 'end') return
  }
}

/** Returns a function that takes the next bytes, as many as it is told. It throws if there are fewer. */
export function takerOf(bytes: AsyncIterable<Buffer>): (count: number) => Promise<Buffer> {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (count) => {
    const parts: Buffer[] = []
    for (let missing = count; missing > 0; ) {
      if (rest.length === 0) {
        const next = await source.next()
        if (next.done) throw new Error('The backup ends too early.')
        rest = next.value
      }
      const part = rest.subarray(0, missing)
      rest = rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}
