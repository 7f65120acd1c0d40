import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { ByteLease } from '../../platform/limits/byte-budget.ts'
import { createDeadline } from './deadline.ts'
import { createTextReader, type Text } from './text.ts'

/** The length limit of a line of AUTH (RFC 4954 4). All other commands are far shorter. */
const lineBytesMax = 12_288
/** The input that may wait while a message is processed. Beyond it, reading stops. */
const pendingBytesMax = 65_536
/** The replies that a client may leave unread before it is disconnected. */
const unreadBytesMax = 65_536
/** How long a client may take to read the last reply. */
const lingerMs = 2000

/** `broken`: without CRLF or with a control character. `tooLong`: longer than any command. `nudged`: see `nudge`. */
type Line = { kind: 'line'; text: string } | { kind: 'broken' } | { kind: 'tooLong' } | { kind: 'nudged' }

/**
 * The server's side of a connection. It never throws for a client's fault; null means that the client is gone or too
 * slow.
 */
export type Wire = {
  readonly secure: boolean
  readonly address: string
  /** Adds a reply. All waiting replies are sent together before the next wait for input (RFC 2920 3.2). */
  reply(text: string): void
  line(waitMs: number): Promise<Line | null>
  text(sizeMax: number, lease: ByteLease, waitMs: number): Promise<Text | { kind: 'busy' } | null>
  /** Tells whether there is unread input. */
  hasMore(): boolean
  /** Encrypts the connection. False if that failed, and the client is then gone. */
  encrypt(context: SecureContext, waitMs: number): Promise<boolean>
  /** Ends a wait for a line. */
  nudge(): void
  /** Sends the waiting replies and closes. */
  end(): void
  destroy(): void
}

const none = Buffer.alloc(0)
const LF = 0x0a

export function createWire(socket: Socket): Wire {
  let stream: Socket = socket
  let pending: Buffer = none
  let replies = ''
  let gone = false
  let ended = false
  let nudged = false
  let wake: (() => void) | null = null
  const deadline = createDeadline(expire)
  const address = socket.remoteAddress ?? ''

  function receive(chunk: Buffer): void {
    if (ended) return
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    if (wake) awake()
    else if (pending.length > pendingBytesMax) stream.pause()
  }

  function awake(): void {
    const waiting = wake
    wake = null
    waiting?.()
  }

  function lose(): void {
    if (gone) return
    gone = true
    pending = none
    deadline.stop()
    stream.destroy()
    awake()
  }

  function listen(): void {
    stream.on('data', receive).on('end', lose).on('close', lose).on('error', lose)
  }

  function expire(): void {
    if (!gone) stream.write('421 4.4.2 That took too long. Connect again.\r\n')
    // Gives the reply a chance to be sent.
    setImmediate(lose)
  }

  function flush(): void {
    if (replies === '' || gone) return
    stream.write(replies, 'latin1')
    replies = ''
    if (stream.writableLength > unreadBytesMax) lose()
  }

  /** Waits for more input. */
  async function more(): Promise<void> {
    flush()
    if (gone) return
    stream.resume()
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }

  async function line(waitMs: number): Promise<Line | null> {
    deadline.set(waitMs)
    for (;;) {
      const end = pending.indexOf(LF)
      if (end !== -1 && end < lineBytesMax) {
        const text = pending.toString('latin1', 0, end + 1)
        pending = end + 1 === pending.length ? none : pending.subarray(end + 1)
        deadline.lift()
        return printableLine.test(text) ? { kind: 'line', text: text.slice(0, -2) } : { kind: 'broken' }
      }
      if (pending.length >= lineBytesMax) return { kind: 'tooLong' }
      if (gone) return null
      if (nudged) {
        nudged = false
        return { kind: 'nudged' }
      }
      await more()
    }
  }

  async function text(sizeMax: number, lease: ByteLease, waitMs: number) {
    deadline.set(waitMs)
    const reader = createTextReader(sizeMax)
    for (let counted = 0; !gone; ) {
      const chunk = pending
      pending = none
      const found = chunk.length > 0 ? reader.push(chunk) : null
      if (found) {
        // Copies the rest, so that it does not keep the whole text in memory.
        if ('rest' in found) pending = Buffer.from(found.rest)
        deadline.lift()
        return found
      }
      const grown = reader.held() - counted
      if (grown > 0 && !lease.take(grown)) return { kind: 'busy' as const }
      counted += Math.max(0, grown)
      await more()
    }
    return null
  }

  socket.setNoDelay(true)
  listen()
  return {
    get secure() {
      return stream instanceof TLSSocket
    },
    address,
    reply(text) {
      replies += text
    },
    line,
    text,
    hasMore: () => pending.length > 0,
    encrypt(secureContext, waitMs) {
      flush()
      if (gone) return Promise.resolve(false)
      deadline.set(waitMs)
      stream.off('data', receive).off('end', lose).off('close', lose)
      const encrypted = new TLSSocket(stream, { isServer: true, secureContext })
      stream = encrypted
      listen()
      return new Promise((resolve) => {
        wake = () => resolve(!gone)
        encrypted.once('secure', awake)
      })
    },
    nudge() {
      nudged = true
      awake()
    },
    end() {
      flush()
      if (gone) return
      ended = true
      pending = none
      // Discards further input: cutting a connection while the client writes may lose the last reply.
      stream.resume()
      stream.end()
      setTimeout(lose, lingerMs).unref()
    },
    destroy: lose,
  }
}

/** Applies to latin1, because addresses may be UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes control characters.
const printableLine = /^[^\x00-\x08\x0a-\x1f\x7f]*\r\n$/
