/** A message submitted complete. Its parts stay unchanged; its header has no fields that recipients must not see. */
export type SubmittedSource = {
  /** Includes the empty line. */
  header: Buffer
  body: Buffer
  /** The sender's own, with angle brackets; null if we add ours. */
  messageId: string | null
  hasDate: boolean
  /** How we received it, in the words of a trace line: `by mail.shop.test with ESMTPSA`. */
  received: string
  /** The message is short: its texts are stored only within it, and decoded when somebody reads the email. */
  holdsTexts: boolean
}

/**
 * Returns the message ready for signing, with the trace line of RFC 5321 4.4 and the missing fields on top. The trace
 * line does not reveal the client; the email's id in it lets us find the submission.
 */
export function finishSource(source: SubmittedSource, email: { id: string; messageId: string; date: Date }): Buffer {
  const date = email.date.toUTCString().replace('GMT', '+0000')
  let lines = `Received: ${source.received}\r\n id ${email.id};\r\n ${date}\r\n`
  if (source.messageId === null) lines += `Message-ID: ${email.messageId}\r\n`
  if (!source.hasDate) lines += `Date: ${date}\r\n`
  return Buffer.concat([Buffer.from(lines, 'latin1'), source.header, source.body])
}
