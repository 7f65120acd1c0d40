import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { EntryPage, PlanList } from '../../../src/billing/schema.ts'
import type { Subscription as SubscriptionSchema } from '../../../src/billing/subscription/schema.ts'
import { get, post } from '../api/call.ts'
import type { Json } from '../api/json.ts'
import { keys } from '../api/keys.ts'

export type Plan = Json<Static<typeof PlanList>>['data'][number]
export type Entry = Json<Static<typeof EntryPage>>['data'][number]
export type Subscription = Json<Static<typeof SubscriptionSchema>>

export const plansQuery = queryOptions({
  queryKey: keys.part('billing', 'plans'),
  queryFn: ({ signal }) => get<{ data: Plan[] }>('/v1/billing/plans?limit=100', { signal }),
})

export const subscriptionQuery = queryOptions({
  queryKey: keys.part('billing', 'subscription'),
  queryFn: ({ signal }) => get<Subscription>('/v1/billing/subscription', { signal }),
})

/** Leads the browser to the page of the payment provider where a plan is paid. */
export function goToCheckout(plan: string): Promise<void> {
  return goTo('/v1/billing/checkout', { plan })
}

/** Leads the browser to the page of the payment provider that changes the subscription. Its link leads back here. */
export function goToPortal(): Promise<void> {
  return goTo('/v1/billing/portal', { returnUrl: location.href })
}

async function goTo(path: string, body: object): Promise<void> {
  const { url } = await post<{ url: string }>(path, body)
  location.assign(url)
}
