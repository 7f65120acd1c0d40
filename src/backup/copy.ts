import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type pg from 'pg'

/** The COPY interface of `pg`, which its types leave out. */
type CopyConnection = {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** Rows are gathered into blocks of this size, since each one comes in a message of its own. */
const blockBytes = 64 * 1024

/** Runs `copy … to stdout`. The rows are those that were copied, once the data have been read to their end. */
export function copyOut(client: pg.ClientBase, text: string): { data: AsyncIterable<Buffer>; rows(): number } {
  const out = new PassThrough({ readableHighWaterMark: 4 * blockBytes, writableHighWaterMark: 4 * blockBytes })
  let block = Buffer.allocUnsafe(blockBytes)
  let used = 0
  let rows = 0
  const flush = (socket: Socket) => {
    const isFull = !out.write(block.subarray(0, used))
    block = Buffer.allocUnsafe(blockBytes)
    used = 0
    if (!isFull) return
    socket.pause()
    out.once('drain', () => socket.resume())
  }
  const copy = {
    submit: (connection: CopyConnection) => connection.query(text),
    // The driver uses the memory of a chunk again.
    handleCopyData({ chunk }: { chunk: Buffer }, { stream }: CopyConnection) {
      for (let at = 0; at < chunk.length; ) {
        const count = chunk.copy(block, used, at)
        used += count
        at += count
        if (used === block.length) flush(stream)
      }
    },
    handleCommandComplete(message: { text: string }) {
      rows = rowsOf(message)
    },
    handleReadyForQuery({ stream }: CopyConnection) {
      out.end(block.subarray(0, used))
      // A stream that has ended tells of no drain, and the next statement needs the socket.
      stream.resume()
    },
    handleError: (error: Error) => out.destroy(error),
  }
  submit(client, copy)
  return { data: out, rows: () => rows }
}

/** Runs `copy … from stdin` with these data. Returns the number of rows. */
export async function copyIn(client: pg.ClientBase, text: string, data: AsyncIterable<Buffer>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let rows = 0
  let isOver = false
  const end = (settle: () => void) => {
    isOver = true
    settle()
  }
  const copy = {
    submit: (connection: CopyConnection) => connection.query(text),
    handleCopyInResponse(connection: CopyConnection) {
      // The server answers a copy that fails with an error of its own, which says less.
      send(connection, data, () => isOver).catch((error: Error) => {
        connection.sendCopyFail('The data ended early.')
        reject(error)
      })
    },
    handleCommandComplete(message: { text: string }) {
      rows = rowsOf(message)
    },
    handleReadyForQuery: () => end(() => resolve(rows)),
    handleError: (error: Error) => end(() => reject(error)),
  }
  submit(client, copy)
  return promise
}

async function send(connection: CopyConnection, data: AsyncIterable<Buffer>, isOver: () => boolean): Promise<void> {
  for await (const chunk of data) {
    if (isOver()) return
    connection.sendCopyFromChunk(chunk)
    if (connection.stream.writableNeedDrain) await drained(connection.stream)
  }
  connection.endCopyFrom()
}

/** Resolves once more can be written, or never again. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.off('drain', end).off('close', end)
      resolve()
    }
    socket.on('drain', end).on('close', end)
    if (socket.destroyed) end()
  })
}

function rowsOf({ text }: { text: string }): number {
  return Number(text.split(' ').at(-1))
}

function submit(client: pg.ClientBase, copy: object): void {
  client.query(copy as pg.Submittable)
}
