/**
 * Codes with another reason: the sender's address, a full mailbox, the message's size, a list, a loop, time, content,
 * policy. Only three codes of 5.4.x blame the address: 5.4.1, which Exchange gives unknown recipients, 5.4.4 of a
 * domain without hosts, and Exchange's 5.4.310 of a domain that does not exist. Postfix gives 5.4.0 for a loop. 5.1.9
 * is about the next server (RFC 3886). Exchange has 5.1.90 for too many recipients in a day, and 5.2.121 and 5.2.122
 * for too many messages in an hour.
 */
const notTheAddress = /^5\.(1\.([789]|90)|2\.([234]|12[12])|4\.(?!(?:[14]|310)$)\d+|[3567]\.\d+)$/

/**
 * Words for such a reason in replies without an enhanced code. Exim, among others, turns away hosts on block lists and
 * senders it cannot verify so, with 550 to every RCPT.
 */
const otherReason = anyOf([
  /\b(?:black|block|deny)[ -]?list|\bblocked\b|\b(?:dnsbl|rbl|spamhaus|spamcop|sorbs|barracuda\w*|uceprotect\w*)\b/,
  /\b(?:spam|junk|reputation|policy|banned|gr[ea]y-?list\w*|spf|dkim|dmarc|r?dns|ptr)\b|spoof/,
  /\brelay(?:ing)?\b|authenticat|\brate[ -]limit|\btoo (?:many|much|large|big)\b|\bquota\b|\bmailbox (?:is )?full\b/,
  /\b(?:virus|malware|content|surbl|helo|ehlo|prohibit\w*)\b|\bmessage (?:size|length)\b|\bstorage\b|\bexceed/,
  /\b(?:verification failed|not verified|temporar\w+|time[d -]*out|hop count|loop(?:s|ing)?)\b/,
  /\bips?\b|\bfrom \[?\d+\.\d|\b(?:client|your|sending) (?:host|(?:mail ?)?server|network|domain)\b|\bhost ?name\b|\bconnection\b/,
  /\b(?:access|permission) (?:is )?denied|\bnot (?:allowed|permitted|authori[sz]ed|trusted)\b|\bunauthori[sz]ed|\brestrict/,
  /\bmessage (?:(?:was|is|has been) )?(?:rejected|refused|denied|not accepted)|\baccept\w* \w*mails? (?:only )?from\b/,
  /\bcountr(?:y|ies)\b|\b(?:start)?tls\b|\bencrypt|\bzugriff verweigert|\baccès refusé|\bace?sso? (?:denegado|negado|negato)/,
])

/** Words for an address that is at fault, whatever else but the sender the reply names. */
const addressReason = anyOf([
  /\b(?:user|recipient|mailbox|address|account)(?: is)? (?:unknown|not found|disabled|does(?: not|n't) exist)\b/,
  /\b(?:unknown|invalid|no such|non-?existent) (?:local |virtual |mail ?box )*(?:user|recipient|mailbox|address|account|person)\b/,
  /\bno mailbox\b/,
])

/**
 * A reply that names the sender is about them: a server that asks the sender's own host whether the address exists
 * quotes that host's words, such as "unknown user".
 */
const senderReason = /\bsender\b/i

function anyOf(words: RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'i')
}

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
  return senderReason.test(words) || (otherReason.test(words) && !addressReason.test(words))
}
