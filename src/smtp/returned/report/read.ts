import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { textFromHtml } from '../../../broadcasts/content/text-from-html.ts'
import { readDeliveryStatus } from './delivery-status.ts'
import { addressIn, firstField, readFieldGroups, shown, withoutComments } from './fields.ts'
import type { Complaint, Report } from './report.ts'
import { isAutomaticReply, readTextBounce, wordsOf } from './text-bounce.ts'

/**
 * Enough for a report, which precedes the returned message. `linesMax` exists because short lines are slow to parse.
 */
const bytesMax = 128 * 1024
const linesMax = 5000
/** A report is one multipart in a message, which may be wrapped once or twice in transit. */
const limits = { maxNestingDepth: 8, maxHeadersSize: 64 * 1024, maxRfc822NestingDepth: 0 }

/** Reports of messages that readers moved out of the spam folder, and of failed authentication (RFC 6591). */
const noComplaints = ['not-spam', 'auth-failure']

/** Reads a returned message. Never throws, whatever the message contains. */
export async function readReport(raw: Buffer): Promise<Report> {
  const email = await PostalMime.parse(beginningOf(raw), limits).catch(() => null)
  if (!email) return { messageId: '', kind: 'ignored', reason: 'unreadable' }
  return { messageId: shown(email.messageId ?? email.date ?? ''), ...reportOf(email) }
}

function beginningOf(raw: Buffer): Buffer {
  let end = 0
  for (let line = 0; line < linesMax && end < bytesMax; line++) {
    const lineEnd = raw.indexOf(0x0a, end)
    if (lineEnd === -1) return raw.subarray(0, bytesMax)
    end = lineEnd + 1
  }
  return raw.subarray(0, Math.min(end, bytesMax))
}

type Findings<T = Report> = T extends Report ? Omit<T, 'messageId'> : never

function reportOf(email: Email): Findings {
  const feedback = partOf(email, /^message\/feedback-report$/)
  if (feedback !== null) {
    const complaint = readFeedbackReport(
      feedback,
      partOf(email, /^(message\/(rfc822|global)|text\/rfc822)(-headers)?$/),
    )
    return noComplaints.includes(complaint.feedbackType)
      ? { kind: 'ignored', reason: 'no complaint' }
      : { kind: 'complaint', complaint }
  }
  const readable = email.text?.trim() ? email.text : (textFromHtml(email.html ?? '') ?? '')
  const status = partOf(email, /^message\/(global-)?delivery-status$/)
  const recipients = status === null ? null : readDeliveryStatus(status, wordsOf(readable))
  if (recipients) return { kind: 'status', recipients }
  if (partOf(email, /^message\/(global-)?disposition-notification$/) !== null)
    return { kind: 'ignored', reason: 'receipt' }
  const message = {
    header: (name: string) => email.headers.find(({ key }) => key === name)?.value ?? '',
    from: email.from?.address ?? '',
    subject: email.subject ?? '',
    text: readable,
  }
  const text = readTextBounce(message)
  if (text) return { kind: 'text', text }
  return { kind: 'ignored', reason: isAutomaticReply(message) ? 'automatic reply' : 'no report' }
}

function partOf({ attachments }: Email, type: RegExp): string | null {
  const part = attachments.find(({ mimeType }) => type.test(mimeType.toLowerCase()))
  return part ? textOf(part) : null
}

function textOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
}

const recipientsMax = 100

/** Reads a `message/feedback-report` (RFC 5965) and the header of the message that it is about. */
function readFeedbackReport(report: string, original: string | null): Complaint {
  const fields = readFieldGroups(report, 1)[0] ?? new Map()
  const header = readFieldGroups(original ?? '', 1)[0] ?? new Map()
  const addresses = (name: string): string[] =>
    (fields.get(name) ?? []).flatMap((value: string) => addressIn(value) ?? []).slice(0, recipientsMax)
  return {
    feedbackType:
      /^[\w-]+/.exec(withoutComments(firstField(fields, 'feedback-type') ?? ''))?.[0].toLowerCase() ?? 'other',
    senders: [...addresses('original-mail-from'), addressIn(firstField(header, 'return-path')) ?? ''],
    messageId: firstField(header, 'message-id'),
    recipients: addresses('original-rcpt-to'),
  }
}
