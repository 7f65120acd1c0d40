import type { Mailbox } from '../mailbox.ts'
import type { Body } from './bodies.ts'

export type Attachment = {
  filename: string
  /** Null if it is to be guessed from the filename. */
  contentType: string | null
  /** With or without angle brackets. If it is set, the HTML, if any, can show the file (`<img src="cid:…">`). */
  contentId: string | null
  content: Buffer
}

/** A text that encodes itself, because parts of it are encoded already. */
export type PreparedText = { toBody(): Body }

/** The visible content of a message. Excludes Bcc: blind recipients are only in the envelope. */
export type MessageContent = {
  /** With angle brackets. The boundaries are derived from it, so the same content gives the same bytes. */
  messageId: string
  date: Date
  from: Mailbox
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  subject: string
  text: string | PreparedText | null
  html: string | PreparedText | null
  attachments: Attachment[]
  /** Further headers in the order in which they are written. */
  headers: { name: string; value: string }[]
}

/** Tells whether a header name is valid (RFC 5322 3.6.8) and short enough for its line to be folded. */
export function isHeaderName(name: string): boolean {
  return /^[!-9;-~]{1,76}$/.test(name)
}

/** Tells whether composing sets the header or must never show it. As a further header, it could forge or leak data. */
export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name.toLowerCase()) || /^content-/i.test(name)
}

const ownHeaders = new Set(
  'from sender to cc bcc reply-to subject date message-id mime-version dkim-signature received return-path'.split(' '),
)

/**
 * Tells whether a value is a media type, with or without parameters: `type/subtype; name=value` (RFC 6838 4.2, RFC 2045
 * 5.1).
 */
export function isContentType(value: string): boolean {
  return value.length <= contentTypeLengthMax && contentTypeForm.test(value)
}

const contentTypeLengthMax = 255 // our own limit; RFC 6838 allows type and subtype 127 characters each
const contentTypeForm =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+*-]+=(?:[\w!#$%&'*+.^`{|}~-]+|"(?:[ !#-[\]-~]|\\[ -~])*"))*$/

/**
 * Tells whether a value is a content id, with or without angle brackets: printable ASCII that a `cid:` link need not
 * quote.
 */
export function isContentId(value: string): boolean {
  return /^(?:<[!-;=?-~]{1,255}>|[!-;=?-~]{1,255})$/.test(value)
}
