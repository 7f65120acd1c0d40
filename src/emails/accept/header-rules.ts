/** What the platform sets itself; `list-unsubscribe` is its own on broadcasts only. */
const reserved = new Set([
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'dkim-signature',
  'received',
  'return-path',
])

/** Why a header field of a request cannot be sent, or null. Names are RFC 5322 tokens of printable ASCII. */
export function headerFault(name: string, value: string): string | null {
  const lower = name.toLowerCase()
  if (!/^[!-9;-~]{1,76}$/.test(name)) return 'is not a header name: printable ASCII without colon and blank, at most 76'
  if (reserved.has(lower) || lower.startsWith('content-')) return 'is set by the platform and cannot be given'
  if (/[\r\n\0]/.test(value)) return 'must not hold a line break'
  return null
}
