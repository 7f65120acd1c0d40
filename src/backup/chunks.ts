import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto'
import { takerOf } from './records.ts'

/** Bytes of one chunk, which is authenticated before any of it is used. */
const chunkBytes = 64 * 1024
const tagBytes = 16
const lastBit = 0x8000_0000
/** 128 MiB and a third of a second for each guess of a passphrase. */
const scryptCost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** A passphrase does not open the first chunk. */
export class WrongPassphrase extends Error {}

/** Derives the key of one file. Its salt is drawn for the file, so no key encrypts two files. */
export function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), salt, 32, scryptCost)
}

/**
 * Cuts bytes into chunks. Each begins with its length, whose first bit marks the last one, so that a file that was cut
 * short is noticed. With a key they are encrypted with AES-256-GCM; the vector is the number of the chunk and the mark.
 */
export async function* writeChunks(bytes: AsyncIterable<Buffer>, key: Buffer | null): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let index = 0
  for await (const part of bytes) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part])
    // The last chunk is known at the end only, so one is always left.
    for (; rest.length > chunkBytes; rest = rest.subarray(chunkBytes)) {
      yield chunkOf(rest.subarray(0, chunkBytes), key, index++, false)
    }
  }
  yield chunkOf(rest, key, index, true)
}

function chunkOf(text: Buffer, key: Buffer | null, index: number, isLast: boolean): Buffer {
  const body = key === null ? text : encrypt(text, key, vectorOf(index, isLast))
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32BE((body.length | (isLast ? lastBit : 0)) >>> 0)
  return Buffer.concat([head, body])
}

function encrypt(text: Buffer, key: Buffer, vector: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, vector)
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Reads what `writeChunks` wrote. Throws if a chunk was changed, moved or left out. */
export async function* readChunks(bytes: AsyncIterable<Buffer>, key: Buffer | null): AsyncGenerator<Buffer> {
  const take = takerOf(bytes)
  for (let index = 0; ; index++) {
    const head = (await take(4)).readUInt32BE()
    const isLast = head >= lastBit
    const length = isLast ? head - lastBit : head
    if (length > chunkBytes + tagBytes) throw new Error('The backup has a part that cannot be read.')
    const body = await take(length)
    yield key === null ? body : decrypt(body, key, index, isLast)
    if (isLast) return
  }
}

function decrypt(body: Buffer, key: Buffer, index: number, isLast: boolean): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, vectorOf(index, isLast), { authTagLength: tagBytes })
    decipher.setAuthTag(body.subarray(body.length - tagBytes))
    return Buffer.concat([decipher.update(body.subarray(0, body.length - tagBytes)), decipher.final()])
  } catch (error) {
    if (index === 0) throw new WrongPassphrase()
    throw new Error('The backup was changed after it was made.', { cause: error })
  }
}

function vectorOf(index: number, isLast: boolean): Buffer {
  const vector = Buffer.alloc(12)
  vector.writeUInt8(isLast ? 1 : 0, 0)
  vector.writeUIntBE(index, 6, 6)
  return vector
}
