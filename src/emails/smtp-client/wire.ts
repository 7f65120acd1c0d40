import type { Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { createReplyReader, formatReply, NonsenseError, type Reply } from './reply.ts'
import { createWaiters } from './waiters.ts'

/** Why a connection was lost. `reply` is an unsolicited one, such as 421 at a server's shutdown. */
export type Loss = { message: string; reply: Reply | null }

/**
 * A socket with a queue of callers that wait for the server's next replies. It never throws for a fault of the server.
 */
export type Wire = {
  readonly lost: Loss | null
  readonly secure: boolean
  readonly remoteAddress: string
  write(data: string | Buffer): void
  /** Sends everything that `work` writes in one piece. */
  together(work: () => void): void
  /** Writes, and waits until the kernel has taken all octets. False if the connection was lost before. */
  flush(data: Buffer, timeoutMs: number): Promise<boolean>
  /** Waits for the reply after those already awaited. Null if the connection is lost before. */
  ask(timeoutMs: number): Promise<Reply | null>
  /** Waits for the reply to STARTTLS. Discards plain text after a 220, which may be an attacker's (RFC 3207 6). */
  askBeforeTls(timeoutMs: number): Promise<Reply | null>
  /** Encrypts the connection. False if that failed, and the connection is then lost. */
  encrypt(options: ConnectionOptions, timeoutMs: number): Promise<boolean>
  onLost(listener: () => void): void
  destroy(message: string): void
}

export function createWire(socket: Socket): Wire {
  let stream: Socket | TLSSocket = socket
  let secure = false
  let lost: Loss | null = null
  const remoteAddress = socket.remoteAddress ?? ''
  const reader = createReplyReader()
  const waiters = createWaiters((timeoutMs) => lose(`the server did not answer within ${timeoutMs / 1000} s`))
  const flushes = new Set<(taken: boolean) => void>()
  const lossListeners: (() => void)[] = []

  function lose(message: string, reply: Reply | null = null) {
    if (lost) return
    lost = { message, reply }
    stream.destroy()
    waiters.end()
    for (const settle of flushes) settle(false)
    for (const listener of lossListeners) listener()
  }

  function receive(chunk: Buffer) {
    if (lost) return
    reader.push(chunk)
    try {
      for (let reply = reader.next(); reply; reply = reader.next()) {
        const waiter = waiters.answer(reply)
        if (!waiter) return lose(`the server said unasked: ${formatReply(reply)}`, reply)
        if (waiter.endsPlaintext && reply.code === 220) return reader.discard()
        waiters.startTimer()
      }
    } catch (error) {
      if (!(error instanceof NonsenseError)) throw error
      lose(error.message)
    }
  }

  const close = () => lose('the server closed the connection')

  function listen() {
    stream.on('data', receive).on('end', close).on('close', close)
    stream.on('error', (error) => lose(`the connection broke: ${describe(error)}`))
  }

  function ask(timeoutMs: number, endsPlaintext: boolean): Promise<Reply | null> {
    return lost ? Promise.resolve(null) : waiters.add(timeoutMs, endsPlaintext)
  }

  listen()
  socket.setNoDelay(true)
  return {
    get lost() {
      return lost
    },
    get secure() {
      return secure
    },
    remoteAddress,
    write(data) {
      if (!lost) stream.write(data)
    },
    together(work) {
      stream.cork()
      work()
      stream.uncork()
    },
    flush(data, timeoutMs) {
      if (lost) return Promise.resolve(false)
      return new Promise((resolve) => {
        const settle = (taken: boolean) => {
          clearTimeout(timer)
          flushes.delete(settle)
          resolve(taken)
        }
        const timer = setTimeout(lose, timeoutMs, 'the server took the message too slowly').unref()
        flushes.add(settle)
        stream.write(data, (error) => {
          if (!error) settle(true)
        })
      })
    },
    ask: (timeoutMs) => ask(timeoutMs, false),
    askBeforeTls: (timeoutMs) => ask(timeoutMs, true),
    encrypt(options, timeoutMs) {
      if (lost) return Promise.resolve(false)
      stream.off('data', receive).off('end', close).off('close', close)
      return new Promise((resolve) => {
        const timer = setTimeout(lose, timeoutMs, `TLS was not agreed on within ${timeoutMs / 1000} s`).unref()
        lossListeners.push(() => resolve(false))
        stream = connectTls({ ...options, socket: stream })
        stream.once('secureConnect', () => {
          clearTimeout(timer)
          secure = true
          resolve(true)
        })
        stream.once('close', () => clearTimeout(timer))
        listen()
      })
    },
    onLost(listener) {
      lossListeners.push(listener)
    },
    destroy: (message) => lose(message),
  }
}

/** Describes an error. The error of a connection tried at several addresses has an empty message itself. */
export function describe(error: Error & { code?: string }): string {
  if (error instanceof AggregateError) return error.errors.map((each: Error) => each.message).join('; ')
  return error.message || error.code || error.name
}
