/** A report that came back to a return address, parsed. Nothing in it is checked against the email it is about. */
export type Report = {
  /** The id of the message that brought the report. A repeat is known by this id and by the content. */
  messageId: string
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
  /** The server did not say so explicitly: no email ends by it, and no address is suppressed. */
  isGuess?: boolean
}

export type Complaint = {
  feedbackType: string
  /** Addresses that may be the return address of the email. */
  senders: string[]
  /** The Message-ID of the message that is complained about, in angle brackets. */
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
