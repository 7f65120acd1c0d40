/** A message that came complete: its parts stay as they are, its header is cleaned of what is not for the recipients. */
export type SubmittedSource = {
  /** With the empty line. */
  header: Buffer
  body: Buffer
  /** The sender's own, with angle brackets; null where ours is put on. */
  messageId: string | null
  hasDate: boolean
  /** How it came, as a trace line says it: `by mail.shop.test with ESMTPSA`. */
  received: string
}

/**
 * The message as it is sent, but for its signature: on top the trace line of RFC 5321 4.4 and what was missing. Who
 * submitted it from where stays untold: it is nobody's business but ours, and the id finds it.
 */
export function finishSource(source: SubmittedSource, email: { id: string; messageId: string; date: Date }): Buffer {
  const date = email.date.toUTCString().replace('GMT', '+0000')
  let lines = `Received: ${source.received}\r\n id ${email.id};\r\n ${date}\r\n`
  if (source.messageId === null) lines += `Message-ID: ${email.messageId}\r\n`
  if (!source.hasDate) lines += `Date: ${date}\r\n`
  return Buffer.concat([Buffer.from(lines, 'latin1'), source.header, source.body])
}
