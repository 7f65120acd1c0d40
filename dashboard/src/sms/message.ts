import { oneOf } from '../api/use-one.ts'
import { dollars } from '../ui/text/words.ts'
import { centsTo } from './price.ts'

export type Sms = {
  id: string
  to: string
  body: string
  messageType: 'transactional' | 'promotional'
  status: string
  segments: number
  providerMessageId: string | null
  senderId: string
  senderName: string
  mode: 'live' | 'test'
  createdAt: string
  sentAt: string | null
}

export type PhoneEvent = { id: string; type: string; createdAt: string; data: Record<string, unknown> | null }

export const smsPath = '/v1/sms'

export const smsOf = (id: string) => oneOf<Sms>(smsPath, id)
export const smsEventsOf = (id: string) => oneOf<PhoneEvent[]>(smsPath, id, '/events')

/** Says what a message costs by the rate card of today. What the provider refused at once is not charged. */
export function priceOf({ to, status, sentAt, mode }: Sms): string {
  if (mode === 'test') return 'Free, in test mode'
  if (status === 'failed' && sentAt === null) return 'Not charged'
  const cents = centsTo(to)
  return cents === null ? 'Unknown' : `${dollars(cents / 100)} at today’s rate`
}
