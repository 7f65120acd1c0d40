import { queryOptions } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { type Answer, get, post, type RowOf } from '../api/request.ts'

export type Plan = RowOf<'/v1/billing/plans'>
export type Entry = RowOf<'/v1/billing/entries'>
export type Subscription = Answer<'/v1/billing/subscription'>

export const plansQuery = queryOptions({
  queryKey: keys.part('billing', 'plans'),
  queryFn: ({ signal }) => get('/v1/billing/plans', { limit: 100 }, { signal }),
})

export const subscriptionQuery = queryOptions({
  queryKey: keys.part('billing', 'subscription'),
  queryFn: ({ signal }) => get('/v1/billing/subscription', {}, { signal }),
})

/** Leads the browser to the page of the payment provider where a plan is paid. */
export async function goToCheckout(plan: string): Promise<void> {
  const { url } = await post('/v1/billing/checkout', { body: { plan } })
  location.assign(url)
}

/** Leads the browser to the page of the payment provider that changes the subscription. Its link leads back here. */
export async function goToPortal(): Promise<void> {
  const { url } = await post('/v1/billing/portal', { body: { returnUrl: location.href } })
  location.assign(url)
}
