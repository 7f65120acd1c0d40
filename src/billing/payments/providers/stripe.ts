import type Stripe from 'stripe'
import type { App } from '../../../context.ts'
import { conflict, DomainError, providerFailed } from '../../../platform/errors.ts'
import { createOneAtATime } from '../../../platform/limits/one-at-a-time.ts'
import {
  definePaymentsProvider,
  lookupKeyOf,
  type MeteredUsage,
  meteredLookupKeys,
  type PaymentsProvider,
} from '../provider.ts'
import { type StripeAccount, stripeClient, stripeFailure } from './stripe/client.ts'
import { stripeSettings } from './stripe/settings.ts'

export const stripe = definePaymentsProvider({
  name: 'stripe',
  about: 'Payments through Stripe; see [billing.md](billing.md).',
  settings: stripeSettings,
  routes: [],
  create: (account, { app }) => stripeProvider(account, app),
})

/** Stripe accepts usage of the last 35 days and the next five minutes. Other times are moved into this range. */
const usageAgeMaxMs = 34 * 24 * 60 * 60 * 1000
const usageAheadMaxMs = 4 * 60 * 1000

/** Payments through Stripe, whose events report the changes of subscriptions. */
function stripeProvider(account: StripeAccount, app: () => App): PaymentsProvider {
  let client: (() => Promise<Stripe>) | undefined
  const inTurn = createOneAtATime()
  const ask = async <T>(question: (stripe: Stripe) => Promise<T>): Promise<T> => {
    client ??= stripeClient(account, app().names)
    try {
      return await question(await client())
    } catch (error) {
      if (error instanceof DomainError) throw error
      const failure = stripeFailure(error)
      app().log.warn({ err: failure }, 'a request to Stripe failed')
      throw failure
    }
  }
  return {
    name: 'stripe',
    createCheckout: (wanted) => ask((stripe) => createCheckout(stripe, wanted, `${app().publicUrl()}/app/settings`)),
    createPortal({ customerId, returnUrl }) {
      if (!customerId)
        throw conflict('The team has bought nothing yet. Check out a plan first: POST /v1/billing/checkout.')
      return ask(async (stripe) => {
        const asked = stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl })
        const { url } = await asked.catch((error) => {
          throw isCustomerGone(error) ? customerGone : error
        })
        return { url }
      })
    },
    isSubscriptionPaid: (id) => ask((stripe) => isSubscriptionPaid(stripe, id)),
    endSubscription: (id) => ask((stripe) => endSubscription(stripe, id)),
    // Stripe accepts one request at a time for a customer and a meter.
    reportUsage: (usage) =>
      inTurn(`${usage.customerId} ${usage.eventName}`, () =>
        ask((stripe) => reportUsage(stripe, usage, app().clock.now())),
      ),
    close: async () => undefined,
  }
}

type Wanted = Parameters<PaymentsProvider['createCheckout']>[0]

async function createCheckout(stripe: Stripe, { teamId, plan, customerId }: Wanted, settingsUrl: string) {
  const [base, ...metered] = await findPrices(stripe, [lookupKeyOf(plan), ...meteredLookupKeys])
  const metadata = { teamId, plan }
  const wanted = {
    mode: 'subscription' as const,
    line_items: [{ price: base!, quantity: 1 }, ...metered.map((price) => ({ price }))],
    client_reference_id: teamId,
    metadata,
    subscription_data: { metadata },
    success_url: settingsUrl,
    cancel_url: settingsUrl,
  }
  const session = await stripe.checkout.sessions
    .create({ ...wanted, ...(customerId && { customer: customerId }) })
    // The checkout makes a new customer, who counts from its event on.
    .catch((error) => (isCustomerGone(error) ? stripe.checkout.sessions.create(wanted) : Promise.reject(error)))
  if (!session.url) throw providerFailed('Stripe made a checkout without a page.')
  return { url: session.url }
}

const customerGone = conflict(
  'Stripe does not know the team’s customer any more. Check out a plan to become one again: POST /v1/billing/checkout.',
)

/**
 * True if Stripe does not have the customer: it was deleted there, or made in test mode and asked for in live mode.
 */
function isCustomerGone(error: unknown): boolean {
  const { code, param } = error as { code?: string; param?: string }
  return code === 'resource_missing' && param === 'customer'
}

/** Returns the ids of prices, in the order of their lookup keys. */
async function findPrices(stripe: Stripe, lookupKeys: string[]): Promise<string[]> {
  const { data } = await stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 100 })
  const byKey = new Map(data.map((price) => [price.lookup_key, price.id]))
  const missing = lookupKeys.filter((key) => !byKey.has(key))
  if (missing.length > 0) {
    throw providerFailed(
      `Stripe has no active price with the lookup key ${missing.join(', ')}. Tell the operator to create it.`,
    )
  }
  return lookupKeys.map((key) => byKey.get(key)!)
}

async function isSubscriptionPaid(stripe: Stripe, id: string): Promise<boolean> {
  try {
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    return typeof invoice === 'object' && invoice?.status === 'paid'
  } catch (error) {
    if ((error as { code?: string }).code !== 'resource_missing') throw error
    return false
  }
}

/** Ends a subscription: unbilled usage is billed, and the unused part of the payment is credited. */
async function endSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id, { invoice_now: true, prorate: true })
  } catch (error) {
    if ((error as { code?: string }).code !== 'resource_missing') throw error
  }
}

/**
 * Reports usage under the message's id. Stripe refuses an id that it received within the last day, which proves that
 * the usage has arrived; a later repeat counts again. An idempotency key is not used, because under one Stripe would
 * repeat its own errors for a day.
 */
async function reportUsage(stripe: Stripe, { eventName, messageId, customerId, at }: MeteredUsage, now: Date) {
  const [earliest, latest] = [now.getTime() - usageAgeMaxMs, now.getTime() + usageAheadMaxMs]
  const time = Math.min(Math.max(at.getTime(), earliest), latest)
  try {
    await stripe.billing.meterEvents.create({
      event_name: eventName,
      identifier: messageId,
      timestamp: Math.floor(time / 1000),
      payload: { stripe_customer_id: customerId, value: '1' },
    })
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    if (code !== 'duplicate_meter_event' && !message?.includes('already exists with identifier')) throw error
  }
}
