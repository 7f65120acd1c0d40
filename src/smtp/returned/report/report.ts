/** What came back to a return address, taken apart; nothing in it is checked against the email it speaks of. */
export type Report = {
  /** Of the message that brought it: by these, and by what it says, a repeat is known. */ messageId: string
} & (
  | { kind: 'status'; recipients: RecipientStatus[] }
  | { kind: 'complaint'; complaint: Complaint }
  | { kind: 'text'; text: TextBounce }
  /** Nothing follows from it; `reason` is for the log. */
  | { kind: 'ignored'; reason: 'automatic reply' | 'no complaint' | 'no report' | 'unreadable' }
)

/** One recipient's group of a delivery status (RFC 3464 2.3). */
export type RecipientStatus = {
  /** Addresses by which the recipient may be known, those of the email first. */
  names: string[]
  action: 'failed' | 'delayed' | 'delivered'
  /** An enhanced status code (RFC 3463). */
  status: string
  diagnosticCode: string
  /** Nobody said so in as many words: no email ends by it, and nobody is suppressed. */
  isGuess?: boolean
}

export type Complaint = {
  feedbackType: string
  /** Addresses that may be the return address of the email. */
  senders: string[]
  /** Of the message that is complained about, in angle brackets. */
  messageId: string | null
  /** Addresses that may be the recipient who complains. */
  recipients: string[]
}

/** A bounce in words only. */
export type TextBounce = {
  /** Recipients that a header field names. */
  failed: string[]
  text: string
  /** It says that delivery is still being tried. */
  isWarning: boolean
}
