import type { Generated, JSONColumnType } from 'kysely'
import type { Plan } from '../../context.ts'
import type { SubscriptionFact, SubscriptionState } from './fold.ts'

declare module '../../database.ts' {
  interface Database {
    payment_subscriptions: {
      /** The provider's id. */
      id: string
      provider: string
      team_id: string | null
      started_at: Date
      counts: boolean
      state: JSONColumnType<SubscriptionState, string, string>
      base: JSONColumnType<SubscriptionState, string, string> | null
      base_until: Date | null
      updated_at: Date
    }
    payment_events: {
      id: string
      subscription_id: string
      said_at: Date
      fact: JSONColumnType<SubscriptionFact, string, string>
    }
    payment_accounts: {
      team_id: string
      provider: string
      customer_id: Generated<string | null>
      subscription_id: Generated<string | null>
      plan: Generated<Plan | null>
      refilled_for: Generated<Date | null>
      refilled_plan: Generated<Plan | null>
      refilled_subscription: Generated<string | null>
      suspended_units: Generated<string | null>
    }
  }
}
