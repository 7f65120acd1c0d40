import type { Generated } from 'kysely'
import type { Zone } from './rate-card.ts'

declare module '../database.ts' {
  interface Database {
    /** Amounts are in hundredths of a cent. `bigint` arrives as text. */
    sms_credit: {
      team_id: string
      balance_units: Generated<string>
      /** The number of times the credit was set. */
      term: Generated<number>
      period_start: Date | null
      period_end: Date | null
      period_anchor: Date | null
    }
    sms_ledger: {
      team_id: string
      id: Generated<string>
      kind: 'debit' | 'overage' | 'reversal' | 'refill' | 'grant' | 'zero'
      credit_units: string
      overage_units: string
      message_id: string | null
      zone: Zone | null
      term: number
      cause: string | null
      created_at: Date
    }
    sms_usage_reports: {
      team_id: string
      message_id: string
      zone: Zone
      sent_at: Date
      attempts: Generated<number>
      /** Null once the provider has accepted it. */
      due_at: Date | null
      reported_at: Date | null
    }
  }
}
