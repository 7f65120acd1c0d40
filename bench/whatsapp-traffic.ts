export type CustomerMessage = {
  type: 'message'
  phoneNumberId: string
  from: string
  text: string
  providerMessageId: string
  contactName: string
  timestamp: string
}

export type StatusTold = {
  type: 'status'
  providerMessageId: string
  status: 'delivered' | 'read'
  data: { pricing: object }
}

export type WhatsappEvent = CustomerMessage | StatusTold

export const phoneNumberId = '106540352242922'
export const knownCustomers = 10_000
/**
 * A message is read this many messages after its delivery, so that concurrent calls never report on the same message.
 */
const readBehind = 1000
/** The first is an hour old, and each is a millisecond younger, so that none is in the future. */
const began = Date.now() - 3_600_000

/**
 * The event of a number, the same each time. Half are messages of customers, a tenth of these from new customers. The
 * others report that one sent message was delivered and that an earlier one was read. No two events are equal.
 */
export function eventOf(n: number): WhatsappEvent {
  const sent = Math.floor(n / 4)
  if (n % 4 === 1) return statusOf(sent + readBehind, 'delivered')
  if (n % 4 === 3) return statusOf(sent, 'read')
  const customer = customerOf(n / 2)
  return {
    ...{ type: 'message', phoneNumberId, from: customer.slice(1), text: `Where is my order ${n}?` },
    ...{ providerMessageId: `in.${n}`, contactName: `Ada ${customer}`, timestamp: new Date(began + n).toISOString() },
  }
}

/** Returns the number of messages that must have been sent for the first `events`. */
export function sentFor(events: number): number {
  return Math.ceil(events / 4) + readBehind
}

export function sentId(n: number | string): string {
  return `out.${n}`
}

/** Returns a number with a country code that is not assigned. */
export function knownNumber(n: number): string {
  return `+9991${String(n).padStart(8, '0')}`
}

/** Scatters customers by a prime, so that no customer writes twice within thousands of messages. */
function customerOf(message: number): string {
  if (message % 10 === 0) return `+9992${String(message).padStart(8, '0')}`
  return knownNumber((message * 7919) % knownCustomers)
}

function statusOf(sent: number, status: 'delivered' | 'read'): StatusTold {
  const data = { pricing: { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' } }
  return { type: 'status', providerMessageId: sentId(sent), status, data }
}
