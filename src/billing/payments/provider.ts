import type { Plan } from '../../context.ts'

export type PaidPlan = Exclude<Plan, 'free'>
export const paidPlans = ['pro', 'scale', 'enterprise'] as const satisfies PaidPlan[]

/** By which a plan's price is known at the provider. */
export function lookupKeyOf(plan: PaidPlan): string {
  return `posthorn_${plan}`
}

/** Those of the metered prices, one for each SMS zone. */
export const meteredLookupKeys = ['posthorn_sms_zone1', 'posthorn_sms_zone2', 'posthorn_sms_zone3']

/** `none`: billing is switched off. No row ever names it. */
export type ProviderName = 'sandbox' | 'stripe' | 'none'

/** A team at a payment provider: where another takes the payments now, nothing it has bought there counts. */
export type Payer = { teamId: string; provider: ProviderName }

/** The port both payment providers fill. It throws `providerFailed` where the provider is out of reach or refuses. */
export type PaymentsProvider = {
  name: ProviderName
  /** The URL of a hosted page where the plan is bought: its base price and three metered items, one for each SMS zone. */
  createCheckout(wanted: { teamId: string; plan: PaidPlan; customerId: string | null }): Promise<{ url: string }>
  /** Throws `conflict` where the provider has no page for a team that is no customer yet. */
  createPortal(wanted: { teamId: string; customerId: string | null; returnUrl: string }): Promise<{ url: string }>
  /** Ends it now; what is left of the period is credited. Repeats change nothing, nor do ids the provider does not know. */
  endSubscription(subscriptionId: string): Promise<void>
  /** One message of overage. Repeats with the same `messageId` within a day count once. Throws where it was not taken for certain. */
  reportUsage(usage: MeteredUsage): Promise<void>
  close(): Promise<void>
}

export type MeteredUsage = {
  teamId: string
  customerId: string
  messageId: string
  eventName: 'sms_zone1_send' | 'sms_zone2_send' | 'sms_zone3_send'
  /** In the period it is to be billed with. */
  at: Date
}
