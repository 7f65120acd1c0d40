/** A parsed report. Its content is not checked against the email that it is about. */
export type Report = {
  /** The id of the message that contains the report. This id and the content identify a repeat. */
  messageId: string
} & (
  | { kind: 'status'; recipients: RecipientStatus[] }
  | { kind: 'complaint'; complaint: Complaint }
  | { kind: 'text'; text: TextBounce }
  /** A message without effect; `reason` is for the log. */
  | { kind: 'ignored'; reason: 'automatic reply' | 'no complaint' | 'no report' | 'receipt' | 'unreadable' }
)

/** One recipient's group of a delivery status (RFC 3464 2.3). */
export type RecipientStatus = {
  /** Addresses that the recipient may have: the original one first, then the final one. */
  names: string[]
  action: 'failed' | 'delayed' | 'delivered'
  /** An enhanced status code (RFC 3463). */
  status: string
  diagnosticCode: string
  /** True if the server did not report this explicitly. It then neither ends the email nor suppresses the address. */
  isGuess?: boolean
}

export type Complaint = {
  feedbackType: string
  /** Addresses that may be the return address of the email. */
  senders: string[]
  /** The Message-ID of the message that the complaint is about, in angle brackets. */
  messageId: string | null
  /** Addresses that may be the complaining recipient. */
  recipients: string[]
}

/** A bounce as text only. */
export type TextBounce = {
  /** Recipients that a header field names. */
  failed: string[]
  text: string
  /** True if its words or a header field say that the delivery failed. */
  isFailure: boolean
  /** True if the server still tries to deliver. */
  isWarning: boolean
}
