import { idOf, type Json, objectOf, readForeignJson } from '../../../platform/http/body/read-foreign-json.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { InboundSms, SmsEventType, SmsFact } from '../../provider.ts'
import { contextName } from './hand-over.ts'

type AwsNotification = { kind: 'fact'; fact: SmsFact } | { kind: 'inbound'; message: InboundSms } | { kind: 'other' }

/**
 * Reads a notification: an event of a message, or a message to one of our numbers. `now` is used if the event has no
 * time.
 */
export function readNotification(text: string, now: Date): AwsNotification {
  const payload = objectOf(readForeignJson(text))
  const { originationNumber: from, destinationNumber: to, messageBody: body } = payload
  const id = idOf(payload.inboundMessageId)
  if (typeof from === 'string' && typeof to === 'string' && typeof body === 'string')
    return { kind: 'inbound', message: { from, to, body, ...(id !== null && { id: `aws:${id}` }) } }
  const fact = factOf(payload, now)
  return fact ? { kind: 'fact', fact } : { kind: 'other' }
}

function factOf(payload: Json, now: Date): SmsFact | null {
  const { eventType, eventTimestamp, isFinal } = payload
  const providerMessageId = idOf(payload.messageId)
  if (typeof eventType !== 'string' || providerMessageId === null) return null
  const type = typeOf(eventType, isFinal === true)
  if (!type) return null
  const named = objectOf(payload.context)[contextName]
  return {
    factId: `${providerMessageId}:${eventType}:${type}`,
    messageId: isUuid(named) ? named : null,
    providerMessageId,
    type,
    at:
      typeof eventTimestamp === 'number' && eventTimestamp > 0 && eventTimestamp < timeMax
        ? new Date(eventTimestamp)
        : now,
    data: withoutOperator(payload),
    ...carrierPriceOf(payload),
  }
}

/** The last moment of the year 9999, in milliseconds. */
const timeMax = 253_402_300_799_999

/**
 * Returns our type of an event. In some countries Amazon reports a delivery as `TEXT_SUCCESSFUL`, accepted by the
 * carrier; it is a delivery if the event is final. `TEXT_UNKNOWN`, an unknown outcome after 72 hours, is neither
 * delivery nor failure.
 */
function typeOf(eventType: string, isFinal: boolean): SmsEventType | undefined {
  return eventType === 'TEXT_SUCCESSFUL' && isFinal ? 'delivered' : types.get(eventType)
}

const types = new Map<string, SmsEventType>(
  Object.entries({
    TEXT_QUEUED: 'queued',
    TEXT_PENDING: 'sent',
    TEXT_SENT: 'sent',
    TEXT_SUCCESSFUL: 'sent',
    TEXT_UNKNOWN: 'sent',
    TEXT_DELIVERED: 'delivered',
    // Amazon did not send the message.
    TEXT_INVALID: 'failed',
    TEXT_INVALID_MESSAGE: 'failed',
    TEXT_PROTECT_BLOCKED: 'failed',
    // The carrier or the phone did not accept it.
    TEXT_BLOCKED: 'undelivered',
    TEXT_CARRIER_BLOCKED: 'undelivered',
    TEXT_CARRIER_UNREACHABLE: 'undelivered',
    TEXT_SPAM: 'undelivered',
    TEXT_TTL_EXPIRED: 'undelivered',
    TEXT_UNREACHABLE: 'undelivered',
  }),
)

/** Removes the operator's prices and account settings, which teams should not see. */
function withoutOperator(payload: Json): Json {
  const { context: _, totalMessagePrice: __, totalCarrierFee: ___, protectConfiguration: ____, ...data } = payload
  return data
}

/** Returns Amazon's price of the message in US dollars, without the carriers' additional fees. */
function carrierPriceOf({ totalMessagePrice: price }: Json): Pick<SmsFact, 'carrierPrice'> {
  if (typeof price !== 'number' || !(price > 0)) return {}
  return { carrierPrice: { amount: price.toFixed(8).replace(/\.?0+$/, ''), currency: 'USD' } }
}
