import { cutText } from '../../platform/text/cut.ts'

/** A server's reply. `enhanced` is the RFC 3463 code; `text` is without both codes, its lines joined by `\n`. */
export type Reply = { code: number; enhanced: string | null; text: string }

/**
 * The server sent something other than an SMTP reply. The connection is lost, because later replies cannot be told
 * apart.
 */
export class NonsenseError extends Error {}

type ReplyReader = {
  push(chunk: Buffer): void
  /** Returns the next complete reply; null until it has arrived. Throws `NonsenseError`. */
  next(): Reply | null
  /** Discards all unread input, such as plain text after the reply to STARTTLS. */
  discard(): void
}

/** RFC 5321 4.5.3.1.5 allows 512, but real servers put links and traces into their refusals. */
const lineBytesMax = 4096
/** A reply to EHLO with every known extension is below 2 KiB. */
const replyBytesMax = 32_768

/** Parses a server's bytes, however they are split, into replies (RFC 5321 4.2.1). */
export function createReplyReader(): ReplyReader {
  let buffer: Buffer = Buffer.alloc(0)
  let at = 0
  let code = 0
  let enhanced: string | null = null
  let lines: string[] = []
  let sizeBytes = 0

  function begin() {
    code = 0
    enhanced = null
    lines = []
    sizeBytes = 0
  }

  /** Adds one line to the reply. Returns true if it is the reply's last. */
  function take(line: string): boolean {
    const match = replyLine.exec(line)
    if (!match) throw new NonsenseError(`the server answered something that is not SMTP: ${excerpt(line)}`)
    const lineCode = Number(match[1])
    if (lines.length === 0) {
      code = lineCode
      enhanced = match[3] !== undefined && match[3][0] === line[0] ? match[3] : null
    } else if (lineCode !== code) {
      throw new NonsenseError(`the server changed its code from ${code} to ${lineCode} within one answer`)
    }
    const text = match[4] ?? ''
    lines.push(match[3] !== undefined && enhanced === null ? `${match[3]} ${text}` : text)
    return match[2] !== '-'
  }

  return {
    push(chunk) {
      buffer = at < buffer.length ? Buffer.concat([buffer.subarray(at), chunk]) : chunk
      at = 0
    },
    next() {
      for (;;) {
        const end = buffer.indexOf(10, at)
        const length = (end === -1 ? buffer.length : end) - at
        if (length > lineBytesMax || sizeBytes + length > replyBytesMax) {
          throw new NonsenseError('the server answered with more than a reply may be long')
        }
        if (end === -1) return null
        const line = printable(buffer.toString('utf8', at, buffer[end - 1] === 13 && end > at ? end - 1 : end))
        at = end + 1
        sizeBytes += length + 1
        if (!take(line)) continue
        const reply = { code, enhanced, text: lines.length === 1 ? lines[0]! : lines.join('\n') }
        begin()
        return reply
      }
    },
    discard() {
      buffer = Buffer.alloc(0)
      at = 0
      begin()
    },
  }
}

/** The groups are code, separator, enhanced code and text. */
const replyLine = /^([2-5]\d\d)(?:([ -])(?:([245]\.\d{1,3}\.\d{1,3})(?: |$))?(.*))?$/

/** Replaces control characters, because replies are stored in logs and in JSON columns, which forbid NUL. */
function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters.
  return /[\x00-\x1f\x7f]/.test(line) ? line.replace(/[\x00-\x1f\x7f]/g, ' ') : line
}

function excerpt(line: string): string {
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line)
}

/**
 * Returns a reply for logs, events and diagnostic codes: `550 5.1.1 No such user`, one line of at most 1000 characters.
 */
export function formatReply(reply: Reply): string {
  const text = reply.text.replaceAll('\n', ' ')
  return cutText([reply.code, reply.enhanced, text].filter((part) => part !== null && part !== '').join(' '), 1000)
}

export function isPositive(reply: Reply): boolean {
  return reply.code >= 200 && reply.code < 300
}

/** Tells whether a reply is a permanent refusal (5yz) of a message or recipient. */
export function isPermanent(reply: Reply): boolean {
  return reply.code >= 500 && !isSessionError(reply) && !isTooManyRecipients(reply)
}

/**
 * Tells whether a recipient is refused because the transaction has enough of them (RFC 5321 4.5.3.1.10), for which
 * older servers say 552. A 452 without an enhanced code may also be a lack of space, which a further transaction shows.
 */
export function isTooManyRecipients({ code, enhanced, text }: Reply): boolean {
  if (code !== 452 && code !== 552) return false
  return enhanced === null ? code === 452 || /too many rec/i.test(text) : /^[45]\.5\.3$/.test(enhanced)
}

/**
 * Tells whether a reply speaks of the command and its place in the session, not of a message or recipient: the command
 * is unknown, out of order or needs a login (RFC 5321 4.2.2, RFC 4954 6).
 */
export function isSessionError(reply: Reply): boolean {
  return sessionErrors.has(reply.code)
}

const sessionErrors = new Set([500, 502, 503, 504, 530, 534, 535, 538])
