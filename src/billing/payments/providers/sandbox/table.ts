import type { Generated } from 'kysely'
import type { MeteredUsage, PaidPlan } from '../../provider.ts'

declare module '../../../../database.ts' {
  interface Database {
    sandbox_subscriptions: {
      team_id: string
      id: string
      customer_id: string
      plan: PaidPlan
      status: Generated<'active' | 'canceled'>
      anchor_at: Date
      period_start: Date
      period_end: Date
      cancel_at_period_end: Generated<boolean>
      created_at: Date
    }
    sandbox_usage: {
      team_id: string
      message_id: string
      event_name: MeteredUsage['eventName']
      used_at: Date
    }
  }
}
