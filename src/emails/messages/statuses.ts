/**
 * Every status of an email in rank order. A late or repeated event never moves an email to an earlier status. Three
 * moves go back. A delayed email becomes `sent` when it is handed over, and when its last job ends without a known
 * outcome (`facts/record.ts`). A bounced email becomes `delayed` when an operator lets it be sent again
 * (`dispatch/discard.ts`).
 */
export const emailStatuses = [
  'scheduled',
  'sent',
  'delayed',
  'delivered',
  'bounced',
  'complained',
  'cancelled',
] as const
export type EmailStatus = (typeof emailStatuses)[number]

export function rankOf(status: EmailStatus): number {
  return emailStatuses.indexOf(status)
}

/** The status that the first answer to a request gave. Events that followed a hand-over do not change it. */
export function answeredStatus(status: EmailStatus): EmailStatus {
  return status === 'delivered' || status === 'complained' ? 'sent' : status
}
