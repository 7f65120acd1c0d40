import { invalid } from '../../platform/errors.ts'
import { type Json, listOf, objectOf, readForeignJson } from '../../platform/http/body/read-foreign-json.ts'
import { isUuid } from '../../platform/ids.ts'
import { monthFrom, type Period } from '../subscription/fold.ts'
import type { Said } from '../subscription/record.ts'
import { lookupKeyOf, type PaidPlan, paidPlans } from './provider.ts'

type PaymentEvent =
  | { kind: 'said'; said: Said }
  | { kind: 'failedPayment'; eventId: string; subscriptionId: string | null }
  | { kind: 'ignored' }

type Heard = Omit<Said, 'subscriptionId'> & { subscriptionId: string | null }
type Reader = (object: Json, event: { eventId: string; at: number }) => Heard | null

/** The events that have an effect. The provider sends hundreds of other types. */
const readers: Record<string, Reader> = {
  'checkout.session.completed': (object, event) =>
    readCheckout(object.payment_status === 'unpaid' ? 'ordered' : 'checkout', object, event),
  // The payment of this checkout took days. The event of a failed payment is not read, because nothing was granted.
  'checkout.session.async_payment_succeeded': (object, event) => readCheckout('checkout', object, event),
  'customer.subscription.updated': (object, event) => readSubscription('updated', object, event),
  'customer.subscription.deleted': (object, event) => readSubscription('deleted', object, event),
  'invoice.payment_succeeded': readInvoice,
}

/** Reads an event of Stripe, in the form of old or new API versions. Throws `invalid` for any other body. */
export function readEvent(text: string): PaymentEvent {
  const event = readForeignJson(text)
  if (event === null) throw invalid('body', 'is not valid JSON')
  const { id, type, created, data } = objectOf(event)
  if (typeof type !== 'string') throw invalid('type', 'is required: the body is no event of the payment provider')
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (!reader && type !== 'invoice.payment_failed') return { kind: 'ignored' }
  const eventId = nameOf(id)
  if (!eventId) throw invalid('id', 'must be the id of the event')
  if (!isTime(created)) throw invalid('created', 'must be the time of the event in Unix seconds')
  const object = objectOf(objectOf(data).object)
  if (!reader) return { kind: 'failedPayment', eventId, subscriptionId: subscriptionOfInvoice(object) }
  const heard = reader(object, { eventId, at: created })
  if (!heard?.subscriptionId) return { kind: 'ignored' }
  return { kind: 'said', said: { ...heard, subscriptionId: heard.subscriptionId } }
}

function readCheckout(
  kind: 'ordered' | 'checkout',
  object: Json,
  event: { eventId: string; at: number },
): Heard | null {
  // The account may also sell things that begin no subscription.
  if (typeof object.mode === 'string' && object.mode !== 'subscription') return null
  const subscription = objectOf(object.subscription)
  return {
    subscriptionId: idOf(object.subscription),
    teamId: teamOf(object.client_reference_id) ?? teamOf(objectOf(object.metadata).teamId),
    fact: {
      ...event,
      kind,
      startedAt: kind === 'ordered' ? event.at : null,
      status: null,
      cancelAtPeriodEnd: null,
      customerId: idOf(object.customer),
      plan: planOf(listOf(objectOf(subscription.items).data), [object.metadata, subscription.metadata]),
      period: periodOfSubscription(subscription),
    },
  }
}

function readSubscription(kind: 'updated' | 'deleted', object: Json, event: { eventId: string; at: number }): Heard {
  const period = periodOfSubscription(object)
  return {
    subscriptionId: idOf(object.id),
    teamId: teamOf(objectOf(object.metadata).teamId),
    fact: {
      ...event,
      kind,
      period,
      customerId: idOf(object.customer),
      plan: planOf(listOf(objectOf(object.items).data), [object.metadata]),
      status: nameOf(object.status),
      startedAt: isTime(object.created) ? object.created : null,
      cancelAtPeriodEnd: isCancelled(object, period),
    },
  }
}

/** Tells whether the subscription is cancelled. Newer versions may give the time of its end instead of a flag. */
function isCancelled({ cancel_at_period_end, cancel_at }: Json, period: Period | null): boolean | null {
  if (isTime(cancel_at) && (period === null || cancel_at <= period.end)) return true
  return typeof cancel_at_period_end === 'boolean' ? cancel_at_period_end : null
}

function periodOfSubscription(object: Json): Period | null {
  const [first] = listOf(objectOf(object.items).data)
  return (
    [object, objectOf(first)].map((at) => periodOf(at.current_period_start, at.current_period_end)).find(Boolean) ??
    null
  )
}

function readInvoice(object: Json, event: { eventId: string; at: number }): Heard {
  const details = [objectOf(objectOf(object.parent).subscription_details), objectOf(object.subscription_details)]
  const metadata = [...details.map((detail) => detail.metadata), object.metadata]
  return {
    subscriptionId: subscriptionOfInvoice(object),
    teamId: metadata.map((from) => teamOf(objectOf(from).teamId)).find(Boolean) ?? null,
    fact: {
      ...event,
      kind: 'paid',
      startedAt: null,
      status: null,
      cancelAtPeriodEnd: null,
      customerId: idOf(object.customer),
      plan: planOf(listOf(objectOf(object.lines).data), metadata),
      period: periodOfInvoice(object, event.at),
    },
  }
}

function subscriptionOfInvoice(object: Json): string | null {
  return idOf(object.subscription) ?? idOf(objectOf(objectOf(object.parent).subscription_details).subscription)
}

/**
 * The `billing_reason` of invoices that begin a period, in several API versions. Other invoices settle a change within
 * a period, or something else.
 */
const beginning = ['subscription_create', 'subscription_cycle', 'subscription', undefined, null]

/**
 * Returns the period that an invoice begins, or null. The invoice's own period and the period of metered lines are the
 * previous month, so the lines with the latest end count. Lines without a period leave the invoice's.
 */
function periodOfInvoice(object: Json, at: number): Period | null {
  if (!beginning.includes(object.billing_reason as string)) return null
  const lines = listOf(objectOf(object.lines).data).map(objectOf)
  const charged = lines.filter((line) => !isExtra(line))
  const dated = charged.filter(({ period }) => isTime(objectOf(period).start))
  const hasOwnPeriod = lines.length === 0 || (charged.length > 0 && dated.length === 0)
  if (hasOwnPeriod) return periodOf(object.period_start, object.period_end) ?? monthFrom(at)
  const periods = dated.map(({ period }) => periodOf(objectOf(period).start, objectOf(period).end))
  return periods.reduce(
    (latest, period) => (latest && (!period || latest.start >= period.start) ? latest : period),
    null,
  )
}

/** Tells whether a line is a change within a period, or an item that was added to the invoice by hand. */
function isExtra(line: Json): boolean {
  const parent = objectOf(line.parent)
  const item = objectOf(parent.subscription_item_details)
  return line.proration === true || item.proration === true || parent.type === 'invoice_item_details'
}

function periodOf(start: unknown, end: unknown): Period | null {
  if (!isTime(start)) return null
  return isTime(end) && end > start ? { start, end } : monthFrom(start)
}

/**
 * Returns the plan of the charged price. After a change of plan at the provider, the metadata still name the first
 * plan.
 */
function planOf(items: unknown[], metadata: unknown[]): PaidPlan | null {
  const keys = items.map((item) => objectOf(objectOf(item).price).lookup_key)
  const charged = keys.map((key) => paidPlans.find((plan) => key === lookupKeyOf(plan)))
  const bought = metadata.map((from) => paidPlans.find((plan) => plan === objectOf(from).plan))
  return [...charged, ...bought].find(Boolean) ?? null
}

function teamOf(value: unknown): string | null {
  return isUuid(value) ? value : null
}

/** Returns the id of a reference, which is an id or the expanded object. */
function idOf(value: unknown): string | null {
  return nameOf(value) ?? nameOf(objectOf(value).id)
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value.length >= 1 && value.length <= 255 ? value : null
}

/** Tells whether a value is a time in Unix seconds, up to the year 9999. */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 253_402_300_800
}
