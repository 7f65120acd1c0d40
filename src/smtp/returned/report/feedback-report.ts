import { addressIn, firstField, readFieldGroups, shown } from './fields.ts'
import type { Complaint } from './report.ts'

const recipientsMax = 100

/** A `message/feedback-report` (RFC 5965) and the header of the message it is about, in one. */
export function readFeedbackReport(report: string, original: string | null): Complaint {
  const fields = readFieldGroups(report, 1)[0] ?? new Map()
  const header = readFieldGroups(original ?? '', 1)[0] ?? new Map()
  const addresses = (name: string): string[] =>
    (fields.get(name) ?? []).flatMap((value: string) => addressIn(value) ?? []).slice(0, recipientsMax)
  return {
    feedbackType: shown(firstField(fields, 'feedback-type') ?? 'other').toLowerCase(),
    senders: [...addresses('original-mail-from'), addressIn(firstField(header, 'return-path')) ?? ''],
    messageId: firstField(header, 'message-id'),
    recipients: addresses('original-rcpt-to'),
  }
}
