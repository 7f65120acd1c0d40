import type { App, Config, Plan } from '../../context.ts'
import type { JobDefinition, Schedule } from '../../platform/jobs/job.ts'
import { declaresProviders, type ProviderModule } from '../../platform/provider.ts'

declare module '../../context.ts' {
  interface App {
    payments: PaymentsProvider
  }
}

export type PaidPlan = Exclude<Plan, 'free'>
export const paidPlans = ['pro', 'scale', 'enterprise'] as const satisfies PaidPlan[]

/** Returns the key by which the payment provider finds the price of a plan. */
export function lookupKeyOf(plan: PaidPlan): string {
  return `posthorn_${plan}`
}

/** The lookup keys of the metered prices, one for each SMS zone. */
export const meteredLookupKeys = ['posthorn_sms_zone1', 'posthorn_sms_zone2', 'posthorn_sms_zone3']

/** A team at a payment provider. Only subscriptions at the present provider count. */
export type Payer = { teamId: string; provider: string }

/**
 * A payment provider, one module each under `providers/`. Its methods throw `providerFailed` if it cannot be reached or
 * refuses.
 */
export type PaymentsProvider = {
  name: string
  /** Creates a hosted page that sells the plan: its base price and a metered item for each of the three SMS zones. */
  createCheckout(wanted: { teamId: string; plan: PaidPlan; customerId: string | null }): Promise<{ url: string }>
  /**
   * Creates a hosted page to change the subscription. Throws `conflict` if the provider requires a customer and there
   * is none.
   */
  createPortal(wanted: { teamId: string; customerId: string | null; returnUrl: string }): Promise<{ url: string }>
  /** Tells whether the last invoice of a subscription is paid. False for an unknown id. */
  isSubscriptionPaid(subscriptionId: string): Promise<boolean>
  /** Ends a subscription now and credits the rest of the period. A repeat or an unknown id changes nothing. */
  endSubscription(subscriptionId: string): Promise<void>
  /**
   * Reports one overage message. Repeats with the same `messageId` within a day count once. Throws if it was not
   * accepted.
   */
  reportUsage(usage: MeteredUsage): Promise<void>
  close(): Promise<void>
}

export type MeteredUsage = {
  teamId: string
  customerId: string
  messageId: string
  eventName: 'sms_zone1_send' | 'sms_zone2_send' | 'sms_zone3_send'
  /** Lies in the period that is billed for the message. */
  at: Date
}

/** The parts of the app that a provider may use. `app` may be called once the app is assembled. */
type PaymentsProviderParts = { config: Config; app: () => App }

/** Background work of a provider. It runs even if another provider is chosen. */
type Background = { jobs?: JobDefinition[]; schedules?: Schedule[] }

export type PaymentsProviderModule = ProviderModule<PaymentsProviderParts, PaymentsProvider> & Background

export const definePaymentsProvider = declaresProviders<PaymentsProviderParts, PaymentsProvider, Background>()
