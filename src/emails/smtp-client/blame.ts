/**
 * Codes with another reason: the sender's address, a full mailbox, the message's size, a list, a loop, time, content,
 * policy.
 */
const notTheAddress = /^5\.(1\.[78]|2\.[234]|4\.[67]|[3567]\.\d+)$/

/**
 * Tells whether the recipient's address is the reason for a failure (RFC 3463), so that mail to it is never tried
 * again. False for a code of class 4, because the mail ran out of time. For `5.0.0`, which gives no reason, true only
 * if an SMTP server answered 550, 551 or 553.
 */
export function blamesAddress(status: string, diagnosticCode: string): boolean {
  if (status === '5.0.0') return /^smtp;\s*(550|551|553)\b/i.test(diagnosticCode)
  return status.startsWith('5.') && !notTheAddress.test(status)
}
