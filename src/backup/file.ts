import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { keyOf, readChunks, WrongPassphrase, writeChunks } from './chunks.ts'
import { type BackupRecord, readRecords, writeRecord } from './records.ts'

/** The first line of a file; its number is that of the format. */
const firstLine = 'posthorn backup 1\n'
const saltBytes = 16
/** After the first line: whether the rest is encrypted, and the salt. */
const preambleBytes = firstLine.length + 1 + saltBytes
const checksumBytes = 32

/**
 * Writes a file of records, readable by its owner only. It gets its name when it is whole. Throws if there is a file of
 * that name.
 */
export async function writeFile(path: string, passphrase: string | null, records: AsyncIterable<BackupRecord>) {
  refuseExisting(path)
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  const salt = randomBytes(saltBytes)
  const key = passphrase === null ? null : keyOf(passphrase, salt)
  const preamble = Buffer.concat([Buffer.from(firstLine), Buffer.from([key === null ? 0 : 1]), salt])
  try {
    await pipeline(
      bytesOf(records),
      createGzip({ level: 1 }),
      (bytes: AsyncIterable<Buffer>) => writeChunks(bytes, key),
      (chunks: AsyncIterable<Buffer>) => withChecksum(preamble, chunks),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    nameFile(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Throws if there is a file of this name, which a backup never replaces. */
export function refuseExisting(path: string): void {
  if (existsSync(path)) throw new Error(`${path} exists; give the name of a new file.`)
}

/** Gives a file its name. A rename would replace a file that somebody made meanwhile, but some disks have no links. */
function nameFile(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch {
    refuseExisting(path)
    renameSync(draft, path)
  }
}

async function* bytesOf(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) yield writeRecord(record)
}

async function* withChecksum(preamble: Buffer, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(preamble)
  yield preamble
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  yield hash.digest()
}

export type OpenedFile = {
  bytes: number
  /** Reads the records from the first on. `progress` gets the number of bytes that were read. */
  records(progress?: (bytes: number) => void): AsyncGenerator<BackupRecord, void, undefined>
}

/** Opens a file whose checksum is right. Throws an error that says what is wrong with it, and what to do. */
export async function openFile(path: string, passphrase: string | null): Promise<OpenedFile> {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? refuseMissing(path)
  const preamble = await readPart(path, 0, preambleBytes)
  refuseOthers(path, preamble)
  await refuseDamaged(path, size)
  const isEncrypted = preamble[firstLine.length] === 1
  if (isEncrypted && passphrase === null) {
    throw new Error(
      `${path} is encrypted: give its passphrase with --passphrase-file FILE or in POSTHORN_BACKUP_PASSPHRASE.`,
    )
  }
  const key = isEncrypted ? keyOf(passphrase!, preamble.subarray(firstLine.length + 1)) : null
  return { bytes: size, records: (progress) => recordsOf(path, size, key, progress) }
}

function refuseMissing(path: string): never {
  throw new Error(`There is no file ${path}.`)
}

function refuseOthers(path: string, preamble: Buffer): void {
  const [line = ''] = preamble.toString('latin1').split('\n')
  if (`${line}\n` === firstLine && preamble.length === preambleBytes) return
  if (/^posthorn backup \d+$/.test(line) && `${line}\n` !== firstLine)
    throw new Error(`${path} was made by a newer version of Posthorn: restore it with that one.`)
  throw new Error(`${path} is not a file of posthorn backup, or it is cut short.`)
}

async function refuseDamaged(path: string, size: number): Promise<void> {
  const end = size - checksumBytes
  const hash = createHash('sha256')
  if (end > preambleBytes) for await (const part of createReadStream(path, { end: end - 1 })) hash.update(part)
  const expected = await readPart(path, Math.max(end, 0), checksumBytes)
  if (expected.length === checksumBytes && timingSafeEqual(hash.digest(), expected)) return
  throw new Error(`${path} is damaged or cut short: its checksum is wrong. Take another copy of it.`)
}

async function readPart(path: string, start: number, count: number): Promise<Buffer> {
  return Buffer.concat(await createReadStream(path, { start, end: start + count - 1 }).toArray())
}

async function* recordsOf(path: string, size: number, key: Buffer | null, progress?: (bytes: number) => void) {
  const source = createReadStream(path, { start: preambleBytes, end: size - checksumBytes - 1 })
  const unpacked = createGunzip()
  // An error of any part ends `unpacked`, which throws it.
  pipe(Readable.from(readChunks(source, key)), unpacked, () => undefined)
  try {
    for await (const record of readRecords(unpacked)) {
      progress?.(preambleBytes + source.bytesRead)
      yield record
    }
  } catch (error) {
    throw error instanceof WrongPassphrase ? new Error(`The passphrase does not open ${path}.`) : error
  } finally {
    unpacked.destroy()
    source.destroy()
  }
}
