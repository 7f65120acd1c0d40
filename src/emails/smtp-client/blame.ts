/**
 * Codes with another reason: the sender's address, a full mailbox, the message's size, a list, a loop, time, content,
 * policy. Exchange has more of its own: 5.2.121 and 5.2.122 for too many messages in an hour, 5.4.14 for a loop, and
 * 5.4.300 to 5.4.318 for a message that ran out of time, except 5.4.310, which says that the domain does not exist.
 */
const notTheAddress = /^5\.(1\.[78]|2\.([234]|12[12])|4\.([567]|14|3(?!10)\d\d)|[3567]\.\d+)$/

/**
 * Words for such a reason in replies without an enhanced code. Exim, among others, turns away hosts on block lists and
 * senders it cannot verify so, with 550 to every RCPT.
 */
const otherReason = new RegExp(
  [
    String.raw`\b(?:black|block|deny)[ -]?list|\bblocked\b|\b(?:dnsbl|rbl|spamhaus|spamcop|sorbs|barracuda\w*|uceprotect\w*)\b`,
    String.raw`\b(?:spam|junk|reputation|policy|banned|gr[ea]y-?list\w*|spf|dkim|dmarc|r?dns|ptr)\b`,
    String.raw`\brelay(?:ing)?\b|\bauthenticat|\brate[ -]limit|\btoo (?:many|much|large|big)\b|\bquota\b|\bmailbox (?:is )?full\b`,
    String.raw`\b(?:virus|malware|content|surbl|helo|ehlo|prohibit\w*)\b|\bmessage (?:size|length)\b|\bout of storage\b`,
    String.raw`\bsender (?:verif|address|domain|rejected|denied)|\b(?:verification failed|not verified)\b`,
  ].join('|'),
  'i',
)

/** Words for an address that is at fault, whatever else the reply says. */
const addressReason =
  /\b(?:user|recipient|mailbox|address|account)(?: is)? (?:unknown|not found|disabled|does(?: not|n't) exist)\b|\b(?:unknown|invalid|no such|non-?existent) (?:local |virtual |mail ?box )*(?:user|recipient|mailbox|address|account|person)\b/i

/**
 * Tells whether the recipient's address is the reason for a failure (RFC 3463), so that mail to it is never tried
 * again. False for a code of class 4, because the mail ran out of time. For `5.0.0`, which gives no reason, true only
 * if an SMTP server answered 550, 551 or 553, and its words name no other reason. For `5.1.0` and `5.2.0` the words
 * of an SMTP server count as well.
 */
export function blamesAddress(status: string, diagnosticCode: string): boolean {
  if (status === '5.0.0') return /^smtp;\s*(550|551|553)\b/i.test(diagnosticCode) && !namesOther(diagnosticCode)
  if (/^5\.[12]\.0$/.test(status) && /^smtp;/i.test(diagnosticCode) && namesOther(diagnosticCode)) return false
  // Gmail gives the code of a disabled mailbox for this, too.
  if (status === '5.2.1' && /\breceiving mail at a rate\b/i.test(diagnosticCode)) return false
  return status.startsWith('5.') && !notTheAddress.test(status)
}

/** Addresses in the reply are left out: `spam@example.com` is a name. */
function namesOther(diagnosticCode: string): boolean {
  const words = diagnosticCode.slice(0, 1000).replace(/[^\s<>()":;,]{1,320}@[^\s<>()":;,]+/g, '')
  return otherReason.test(words) && !addressReason.test(words)
}
