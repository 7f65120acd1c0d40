import type { Answer, RowOf } from '../api/request.ts'
import { oneOf } from '../api/use-one.ts'
import { dollars } from '../ui/text/words.ts'
import { centsTo } from './price.ts'

export type Sms = Answer<'/v1/sms/:id'>
export type PhoneEvent = RowOf<'/v1/sms/:id/events'>

export const smsOf = (id: string) => oneOf('/v1/sms/:id', { id })
export const smsEventsOf = (id: string) => oneOf('/v1/sms/:id/events', { id })

/** Says what a message costs by the rate card of today. What the provider refused at once is not charged. */
export function priceOf({ to, status, sentAt, mode }: Sms): string {
  if (mode === 'test') return 'Free, in test mode'
  if (status === 'failed' && sentAt === null) return 'Not charged'
  const cents = centsTo(to)
  return cents === null ? 'Unknown' : `${dollars(cents / 100)} at today’s rate`
}
