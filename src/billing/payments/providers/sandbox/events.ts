import type { Tx } from '../../../../context.ts'
import { plans } from '../../../plans.ts'
import { lookupKeyOf, meteredLookupKeys } from '../../provider.ts'
import type { SandboxSubscription } from './queries.ts'

/** An event in the form in which Stripe posts it. */
export type SandboxEvent = { id: string; type: string } & Record<string, unknown>

export function checkoutCompleted(tx: Tx, subscription: SandboxSubscription): SandboxEvent {
  const { id, teamId, customerId, plan, createdAt } = subscription
  return event(tx, 'checkout.session.completed', {
    id: id.replace(/^sub_/, 'cs_test_'),
    object: 'checkout.session',
    mode: 'subscription',
    status: 'complete',
    payment_status: 'paid',
    created: seconds(createdAt),
    currency,
    amount_total: plans[plan].monthlyPrice * 100,
    client_reference_id: teamId,
    customer: customerId,
    subscription: id,
    metadata: { teamId, plan },
  })
}

export function subscriptionUpdated(tx: Tx, subscription: SandboxSubscription): SandboxEvent {
  return event(tx, 'customer.subscription.updated', subscriptionObject(subscription))
}

export function subscriptionDeleted(tx: Tx, subscription: SandboxSubscription): SandboxEvent {
  return event(tx, 'customer.subscription.deleted', {
    ...subscriptionObject(subscription),
    ended_at: seconds(tx.now),
    canceled_at: seconds(tx.now),
  })
}

export function invoicePaid(
  tx: Tx,
  subscription: SandboxSubscription,
  reason: 'subscription_create' | 'subscription_cycle',
): SandboxEvent {
  const { id, customerId, plan, teamId, periodStart, periodEnd } = subscription
  const amount = plans[plan].monthlyPrice * 100
  return event(tx, 'invoice.payment_succeeded', {
    id: `in_${compact(tx.newId())}`,
    object: 'invoice',
    billing_reason: reason,
    status: 'paid',
    currency,
    amount_paid: amount,
    customer: customerId,
    // The invoice's own period is the month before the period of its lines.
    period_start: seconds(periodStart),
    period_end: seconds(periodStart),
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: id, metadata: { teamId, plan } },
    },
    lines: {
      object: 'list',
      data: [
        {
          object: 'line_item',
          amount,
          period: { start: seconds(periodStart), end: seconds(periodEnd) },
          parent: {
            type: 'subscription_item_details',
            subscription_item_details: { subscription: id, proration: false },
          },
        },
      ],
    },
  })
}

function event(tx: Tx, type: string, object: Record<string, unknown>): SandboxEvent {
  return {
    id: `evt_${compact(tx.newId())}`,
    object: 'event',
    api_version: '2025-03-31.basil',
    created: seconds(tx.now),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object },
  }
}

function subscriptionObject(subscription: SandboxSubscription): Record<string, unknown> {
  const { id, teamId, customerId, plan, status, cancelAtPeriodEnd, createdAt, periodStart, periodEnd } = subscription
  const period = { current_period_start: seconds(periodStart), current_period_end: seconds(periodEnd) }
  const base = { quantity: 1, price: priceObject(lookupKeyOf(plan), plans[plan].monthlyPrice * 100, 'licensed') }
  const metered = meteredLookupKeys.map((key) => ({ price: priceObject(key, null, 'metered') }))
  return {
    id,
    object: 'subscription',
    status,
    customer: customerId,
    created: seconds(createdAt),
    start_date: seconds(createdAt),
    currency,
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: cancelAtPeriodEnd ? seconds(periodEnd) : null,
    items: {
      object: 'list',
      data: [base, ...metered].map((item, index) => ({
        id: id.replace(/^sub_/, `si_${index}`),
        object: 'subscription_item',
        ...item,
        ...period,
      })),
    },
    metadata: { teamId, plan },
  }
}

function priceObject(lookupKey: string, unitAmount: number | null, usageType: 'licensed' | 'metered') {
  return {
    id: `price_${lookupKey}`,
    object: 'price',
    lookup_key: lookupKey,
    currency,
    unit_amount: unitAmount,
    recurring: { interval: 'month', interval_count: 1, usage_type: usageType },
  }
}

/** The sandbox charges Australian dollars. At a real provider the account sets the country of the dollars. */
const currency = 'aud'

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

/** Removes the hyphens of an id, since Stripe's ids have none. */
export function compact(id: string): string {
  return id.replaceAll('-', '')
}
