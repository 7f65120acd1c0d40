/** One answer of a server. `enhanced` is the RFC 3463 code; `text` is without both codes, its lines joined by `\n`. */
export type Reply = { code: number; enhanced: string | null; text: string }

/** What the server sent is no SMTP reply: where one begins and ends is lost, and the connection with it. */
export class NonsenseError extends Error {}

export type ReplyReader = {
  push(chunk: Buffer): void
  /** The next whole reply, or null until more has arrived; throws `NonsenseError`. */
  next(): Reply | null
  /** Forgets everything unread: what came in the clear behind the reply to STARTTLS is nobody's answer. */
  discard(): void
}

/** RFC 5321 4.5.3.1.5 wants 512; real servers put links and traces into their refusals. */
const lineBytesMax = 4096
/** A hello with every extension known stays under 2 KiB. */
const replyBytesMax = 32_768

/** Turns the bytes a server sends, however they are cut, into replies (RFC 5321 4.2.1). Holds at most one reply. */
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

  /** Takes one line in; true when it was the reply's last. */
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

/** Code, separator, enhanced code, text. */
const replyLine = /^([2-5]\d\d)(?:([ -])(?:([245]\.\d{1,3}\.\d{1,3})(?: |$))?(.*))?$/

/** Replies end up in logs and JSON columns, and NUL is forbidden in the latter. */
function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go.
  return /[\x00-\x1f\x7f]/.test(line) ? line.replace(/[\x00-\x1f\x7f]/g, ' ') : line
}

function excerpt(line: string): string {
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line)
}

/** `550 5.1.1 No such user`, on one line and at most 1000 characters: for logs, events and diagnostic codes. */
export function formatReply(reply: Reply): string {
  const text = reply.text.replaceAll('\n', ' ')
  return [reply.code, reply.enhanced, text]
    .filter((part) => part !== null && part !== '')
    .join(' ')
    .slice(0, 1000)
}

export function isPositive(reply: Reply): boolean {
  return reply.code >= 200 && reply.code < 300
}

/**
 * Refused for good (5yz), as against for now (4yz). The codes of RFC 4954 that want another login are about the operator's
 * settings, and say nothing of message or recipient.
 */
export function isPermanent(reply: Reply): boolean {
  return reply.code >= 500 && !loginWanted.has(reply.code)
}

const loginWanted = new Set([530, 534, 535, 538])
