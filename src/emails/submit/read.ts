import { DomainError, invalid } from '../../platform/errors.ts'
import { readIdempotencyKey } from '../../platform/http/headers/idempotency-key.ts'
import { domainOf } from '../../platform/text/mail-address.ts'
import { attachmentsMaxBytes, subjectMax } from '../bounds.ts'
import { formatMailbox } from '../mailbox.ts'
import type { EmailCommand } from '../messages/email.ts'
import { LF, toCrlf } from '../mime/line-ends.ts'
import { decodeBody } from '../mime/source/decode.ts'
import { fieldValue, type HeaderBlock } from '../mime/source/fields.ts'
import { findLeaves, type Leaf } from '../mime/source/leaves.ts'
import { shownLeaves, shownTexts } from '../mime/source/shown-texts.ts'
import { addressees, readSender, refuseOtherSender, replyToOf } from './addresses.ts'
import { cleanHeader, readHeader } from './header.ts'
import { decodedText } from './words.ts'

/** A submitted message: the envelope's bare addresses, and the text after DATA without dot-stuffing. */
export type Submission = {
  recipients: string[]
  raw: Buffer
  /** How we received it: `by mail.shop.test with ESMTPSA`. */
  received: string
}

/** `octets` has CRLF line ends; the offsets in `header` refer to it. */
export type ReadSubmission = {
  command: EmailCommand
  octets: Buffer
  header: HeaderBlock
  idempotencyKey: string | null
}

/**
 * Reads a submitted message into the same command as an API request, but without texts that are decoded when somebody
 * reads the email. Throws `invalid`, `forbidden` and `tooLarge`.
 */
export function readSubmission({ recipients, raw, received }: Submission): ReadSubmission {
  const octets = toCrlf(raw)
  refuseLines(octets)
  const header = readHeader(octets)
  const { fields } = header
  const sender = readSender(fields)
  refuseOtherSender(fields, sender)
  const subject = decodedText(fieldValue(fields, 'subject') ?? '')
  if (subject.length > subjectMax) throw invalid('Subject', `is longer than ${subjectMax} characters`)
  refuseParts(octets)
  const holdsTexts = octets.length <= shortMaxBytes
  const source = { ...cleanHeader(octets, header), received, holdsTexts }
  const command: EmailCommand = {
    from: formatMailbox(sender),
    ...addressees(fields, recipients),
    replyTo: replyToOf(fields),
    sender,
    domainName: domainOf(sender.address),
    subject,
    ...(holdsTexts ? { html: null, text: null } : shownTexts(octets)),
    headers: null,
    tags: null,
    attachments: [],
    source,
    scheduledAt: null,
    templateRefusal: null,
  }
  return {
    command,
    octets,
    header,
    idempotencyKey: readIdempotencyKey(fieldValue(fields, 'idempotency-key') ?? undefined),
  }
}

/** Our own limit: decoding this much takes a millisecond, and few messages without attachments are longer. */
const shortMaxBytes = 128 * 1024

const lineLengthMax = 998 // RFC 5322 2.1.1

/** Refuses NUL, which relays need not carry, and lines that some of them would cut. */
function refuseLines(octets: Buffer): void {
  if (octets.includes(0))
    throw new DomainError('invalid', 'The message holds a NUL. Encode the part that does in base64.')
  let start = 0
  for (let end = octets.indexOf(LF); end !== -1; end = octets.indexOf(LF, start)) {
    if (end - start > lineLengthMax + 1) throw longLine()
    start = end + 1
  }
  if (octets.length - start > lineLengthMax) throw longLine()
}

function longLine(): DomainError {
  const message = `The message has a line of more than ${lineLengthMax} octets. Encode the part in quoted-printable or base64.`
  return new DomainError('invalid', message)
}

/** Throws `invalid` if a message has too many parts, and `tooLarge` if its attachments are. */
function refuseParts(octets: Buffer): void {
  const leaves = findLeaves(octets)
  if (!leaves) throw new DomainError('invalid', 'The message has more than 500 parts, or they nest deeper than 20.')
  const { html, text } = shownLeaves(leaves)
  const files = leaves.filter((leaf) => leaf !== html && leaf !== text)
  refuseLargeFiles(octets, files)
}

function refuseLargeFiles(octets: Buffer, files: Leaf[]): void {
  const encodedBytes = files.reduce((sum, { bodyStart, bodyEnd }) => sum + bodyEnd - bodyStart, 0)
  // Decodes only if the encoded size may exceed the limit.
  if (encodedBytes <= attachmentsMaxBytes) return
  const sizeBytes = files.reduce((sum, file) => sum + decodeBody(octets, file).length, 0)
  if (sizeBytes > attachmentsMaxBytes)
    throw new DomainError('tooLarge', 'The attachments are larger than 25 MiB together.')
}
