/**
 * Statuses of a message, and types of provider events, from the earliest to the most final. A message only moves to a
 * later status: a carrier may still deliver a message that it had reported as undelivered or failed.
 */
export const smsStatuses = ['accepted', 'queued', 'sent', 'undelivered', 'failed', 'delivered'] as const

export type SmsStatus = (typeof smsStatuses)[number]

export function rankOf(status: SmsStatus): number {
  return smsStatuses.indexOf(status)
}
