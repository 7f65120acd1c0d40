import { type Json, objectOf, readForeignJson } from '../../../platform/http/read-foreign-json.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { InboundSms, SmsEventType, SmsFact } from '../../provider.ts'
import { contextName } from './hand-over.ts'

export type AwsNotification =
  | { kind: 'fact'; fact: SmsFact }
  | { kind: 'inbound'; message: InboundSms }
  | { kind: 'other' }

/** What a notification says: what became of a message, or what somebody wrote to a number. `now` where no time is told. */
export function readNotification(text: string, now: Date): AwsNotification {
  const payload = objectOf(readForeignJson(text))
  const { originationNumber: from, destinationNumber: to, messageBody: body } = payload
  if (typeof from === 'string' && typeof to === 'string' && typeof body === 'string')
    return { kind: 'inbound', message: { from, to, body } }
  const fact = factOf(payload, now)
  return fact ? { kind: 'fact', fact } : { kind: 'other' }
}

function factOf(payload: Json, now: Date): SmsFact | null {
  const { eventType, messageId: providerMessageId, eventTimestamp, isFinal } = payload
  if (typeof eventType !== 'string' || typeof providerMessageId !== 'string') return null
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
 * Amazon uses `TEXT_DELIVERED` and `TEXT_SUCCESSFUL` (taken by the carrier) one for the other, by country: where it says
 * that nothing more will come, it is the delivery. `TEXT_UNKNOWN` says that after 72 hours nobody knows: no delivery, and
 * no failure either.
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
    // Amazon itself sent nothing.
    TEXT_INVALID: 'failed',
    TEXT_INVALID_MESSAGE: 'failed',
    TEXT_PROTECT_BLOCKED: 'failed',
    // The carrier or the phone did not take it.
    TEXT_BLOCKED: 'undelivered',
    TEXT_CARRIER_BLOCKED: 'undelivered',
    TEXT_CARRIER_UNREACHABLE: 'undelivered',
    TEXT_SPAM: 'undelivered',
    TEXT_TTL_EXPIRED: 'undelivered',
    TEXT_UNREACHABLE: 'undelivered',
  }),
)

/** What the operator pays, and how the account is set up, is no business of the teams. */
function withoutOperator(payload: Json): Json {
  const { context: _, totalMessagePrice: __, totalCarrierFee: ___, protectConfiguration: ____, ...data } = payload
  return data
}

/** What Amazon charges for the message, in US dollars; fees of carriers come on top and are left out. */
function carrierPriceOf({ totalMessagePrice: price }: Json): Pick<SmsFact, 'carrierPrice'> {
  if (typeof price !== 'number' || !(price > 0)) return {}
  return { carrierPrice: { amount: price.toFixed(8).replace(/\.?0+$/, ''), currency: 'USD' } }
}
