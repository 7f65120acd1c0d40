import type { Mailbox } from '../mailbox.ts'

export type Attachment = {
  filename: string
  /** Guessed from the filename where null. */
  contentType: string | null
  /** With or without angle brackets; with one, and beside HTML, the file is shown inside it (`<img src="cid:…">`). */
  contentId: string | null
  content: Buffer
}

/** All that a message shows. Bcc is not among it: blind recipients are the envelope's alone. */
export type MessageContent = {
  /** With angle brackets; the boundaries derive from it, so the same content gives the same bytes. */
  messageId: string
  date: Date
  from: Mailbox
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  subject: string
  text: string | null
  html: string | null
  attachments: Attachment[]
  /** Further headers in the order they shall stand. */
  headers: { name: string; value: string }[]
}

/** A header name, RFC 5322 3.6.8, short enough that its line can be folded. */
export function isHeaderName(name: string): boolean {
  return /^[!-9;-~]{1,76}$/.test(name)
}

/** What composing sets itself or must never show: given as a further header, it would forge or leak. */
export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name.toLowerCase()) || /^content-/i.test(name)
}

const ownHeaders = new Set(
  'from sender to cc bcc reply-to subject date message-id mime-version dkim-signature received return-path'.split(' '),
)

/** A media type, with parameters or without: `type/subtype; name=value`. RFC 6838 4.2, RFC 2045 5.1. */
export function isContentType(value: string): boolean {
  return value.length <= contentTypeLengthMax && contentTypeForm.test(value)
}

const contentTypeLengthMax = 255 // ours; the names alone may have 127 characters each
const contentTypeForm = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+*-]+=(?:[\w!#$&^.+*'-]+|"[ !#-[\]-~]*"))*$/

/** A content id, with angle brackets or without: printable ASCII that needs no quoting in a `cid:` link. */
export function isContentId(value: string): boolean {
  return /^(?:<[!-;=?-~]{1,255}>|[!-;=?-~]{1,255})$/.test(value)
}
