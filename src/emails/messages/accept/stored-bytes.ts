import type { AcceptedEmail } from './accepted.ts'

/**
 * Counts the bytes that emails take in `email_contents`, `email_attachments` and `email_sources`, in the same way as
 * the triggers that call `note_stored_bytes` when emails are deleted.
 */
export function storedBytesOf(emails: AcceptedEmail[]): number {
  let bytes = 0
  for (const { command, source } of emails) {
    bytes += Buffer.byteLength(command.html ?? '') + Buffer.byteLength(command.text ?? '') + (source?.length ?? 0)
    for (const { content } of command.attachments) bytes += content.length
  }
  return bytes
}
