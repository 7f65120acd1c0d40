import type { SmsEventType, SmsFact, SmsPrice } from '../../provider.ts'

/** Our event for each status of Twilio. `accepted` is left out, since the answer to the send contains it. */
const types = new Map<string, SmsEventType>(
  Object.entries({
    queued: 'queued',
    sending: 'queued',
    sent: 'sent',
    delivered: 'delivered',
    read: 'delivered',
    undelivered: 'undelivered',
    failed: 'failed',
    canceled: 'failed',
  }),
)

type TwilioStatus = {
  MessageSid: string
  MessageStatus: string
  ErrorCode?: string
  ErrorMessage?: string
  Price?: unknown
  PriceUnit?: unknown
}

/** Returns the fact in a status, or null if it has none. Twilio gives no time, so `at` is the time of receipt. */
export function factOfStatus(status: TwilioStatus, messageId: string | null, at: Date): SmsFact | null {
  const { MessageSid, MessageStatus, ErrorCode, ErrorMessage } = status
  const type = types.get(MessageStatus)
  if (!type) return null
  const data = {
    messageStatus: MessageStatus,
    messageStatusDescription: ErrorMessage || null,
    ...(ErrorCode && { errorCode: ErrorCode }),
  }
  const price = readPrice(status.Price, status.PriceUnit)
  // Several statuses map to one event, which is recorded once.
  return {
    factId: `${MessageSid}:${type}`,
    messageId,
    providerMessageId: MessageSid,
    type,
    at,
    data,
    ...(price && { carrierPrice: price }),
    ...optOutOf(ErrorCode),
  }
}

/** Reads Twilio's error 21610: the person has told Twilio to stop. */
export function optOutOf(errorCode: unknown): { isOptOut?: true } {
  return String(errorCode) === '21610' ? { isOptOut: true } : {}
}

/** Reads a price, which Twilio writes as a negative number. Null while Twilio does not know it. */
export function readPrice(price: unknown, unit: unknown): SmsPrice | null {
  const match = typeof price === 'string' ? /^-?(\d{1,9}(?:\.\d{1,12})?)$/.exec(price) : null
  return match && typeof unit === 'string' && /^[A-Za-z]{3}$/.test(unit)
    ? { amount: match[1]!, currency: unit.toUpperCase() }
    : null
}
