import assert from 'node:assert/strict'
import { type Body, bodySizeBytes, writeBody } from './bodies.ts'
import { type Boundaries, chooseBoundaries } from './boundaries.ts'
import { isHeaderName, isOwnHeader, type MessageContent } from './content.ts'
import { givenHeader, mailboxHeader, textHeader } from './headers.ts'
import { type Part, partOf } from './parts.ts'
import { hashOfRelaxed } from './relaxed.ts'

type Chunk = string | Body

/**
 * `bodyHash` is the hash for DKIM if the relaxed form of all bodies is known, so that it takes little work; else null.
 */
export type UnsignedMessage = { raw: Buffer; bodyHash: string | null }

/**
 * Composes the whole message (RFC 5322 and MIME) for signing: ASCII, CRLF line ends, lines of at most 998 octets. The
 * same content gives the same octets, so a repeated email is identical. Throws an assertion if a header line cannot
 * carry a value; the API refuses such values earlier.
 */
export function composeMessage(content: MessageContent): UnsignedMessage {
  const root = partOf(content)
  const chunks: Chunk[] = [messageHeaders(content)]
  appendPart(chunks, root, chooseBoundaries(content.messageId, root))
  addLastLineEnd(chunks)
  const isRelaxed = chunks.every((chunk) => typeof chunk === 'string' || chunk.relaxed)
  return { raw: joined(chunks), bodyHash: isRelaxed ? hashOfRelaxed(bodyOf(joined(chunks.map(toRelaxed)))) : null }
}

/** Our own lines, such as the headers of parts, are in relaxed form. */
function toRelaxed(chunk: Chunk): Chunk {
  return typeof chunk === 'string' ? chunk : { ...chunk, octets: chunk.relaxed! }
}

function bodyOf(message: Buffer): Buffer {
  return message.subarray(message.indexOf('\r\n\r\n') + 4)
}

function messageHeaders(content: MessageContent): string {
  assert(messageIdForm.test(content.messageId), 'Message-ID: not a message id')
  assert(Number.isFinite(content.date.getTime()), 'Date: not a date')
  let lines = mailboxHeader('From', [content.from])
  lines += mailboxHeader('To', content.to)
  lines += mailboxHeader('Cc', content.cc)
  lines += mailboxHeader('Reply-To', content.replyTo)
  lines += textHeader('Subject', content.subject)
  lines += `Message-ID: ${content.messageId}\r\nDate: ${content.date.toUTCString().replace('GMT', '+0000')}\r\n`
  for (const { name, value } of content.headers) {
    assert(isHeaderName(name) && !isOwnHeader(name), 'headers: a name that is not the caller’s to set')
    lines += givenHeader(name, value)
  }
  return `${lines}MIME-Version: 1.0\r\n`
}

const messageIdForm = /^<[!-;=?-~]{1,900}>$/

/**
 * Appends headers, a blank line and the body, without the last line end, which belongs to the boundary that follows.
 */
function appendPart(chunks: Chunk[], part: Part, boundaries: Boundaries | null): void {
  if ('body' in part) {
    chunks.push(`${part.headers}\r\n`, part.body)
    return
  }
  const boundary = boundaries![part.kind]
  // RFC 2387 3.1: multipart/related names the type of its root, which here is the HTML.
  const type = part.kind === 'related' ? ' type="text/html";' : ''
  chunks.push(`Content-Type: multipart/${part.kind};${type}\r\n boundary="${boundary}"\r\n`)
  for (const child of part.children) {
    chunks.push(`\r\n--${boundary}\r\n`)
    appendPart(chunks, child, boundaries)
  }
  chunks.push(`\r\n--${boundary}--`)
}

/** Adds a line end if there is none, because SMTP's final dot requires one before it. */
function addLastLineEnd(chunks: Chunk[]): void {
  const last = chunks.at(-1)!
  const ended =
    typeof last !== 'string' && last.encoding !== 'base64' && (last.octets.length === 0 || last.octets.at(-1) === 0x0a)
  if (!ended) chunks.push('\r\n')
}

function joined(chunks: Chunk[]): Buffer {
  let size = 0
  for (const chunk of chunks) size += typeof chunk === 'string' ? chunk.length : bodySizeBytes(chunk)
  const message = Buffer.allocUnsafe(size)
  let at = 0
  for (const chunk of chunks) {
    if (typeof chunk === 'string') at += message.write(chunk, at, 'latin1')
    else {
      writeBody(chunk, message, at)
      at += bodySizeBytes(chunk)
    }
  }
  return message
}
