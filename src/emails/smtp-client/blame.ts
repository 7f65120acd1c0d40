/** Servers say of these: the sender's address (1.7, 1.8), a mailbox that is full, a message too long for it, a list, a loop, the time. */
const notTheAddress = /^5\.(1\.[78]|2\.[234]|4\.[67]|[3567]\.\d+)$/

/**
 * True where the reason for a failure (RFC 3463) is the recipient's address, so that mail to it is never tried again. A
 * code of class 4 is none: the mail ran out of time. A code that gives no reason is believed where an SMTP server has
 * refused the recipient.
 */
export function blamesAddress(status: string, diagnosticCode: string): boolean {
  if (status === '5.0.0') return /^smtp;\s*(550|551|553)\b/i.test(diagnosticCode)
  return status.startsWith('5.') && !notTheAddress.test(status)
}
