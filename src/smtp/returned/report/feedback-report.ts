import { addressIn, firstField, readFieldGroups, shown } from './fields.ts'
import type { Complaint } from './report.ts'

const recipientsMax = 100

/** Reads a `message/feedback-report` (RFC 5965) and the header of the message that it is about. */
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
