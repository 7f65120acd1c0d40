import type { ColumnType, Generated } from 'kysely'
import type { Zone } from '../billing/rate-card.ts'
import type { SmsStatus } from './messages/statuses.ts'

declare module '../database.ts' {
  interface Database {
    sms_messages: {
      team_id: string
      id: string
      sender_id: string
      sender_name: string
      to_number: string
      body: string
      message_type: MessageType
      status: SmsStatus
      segments: number
      zone: Zone
      price_units: ColumnType<string, number, never>
      /** The UTC day whose limits the message counts against. */
      charged_day: string
      /** Null until the provider has answered. */
      billable: boolean | null
      provider: string | null
      provider_message_id: string | null
      handed_over_at: Date | null
      carrier_price: string | null
      carrier_currency: string | null
      carrier_price_at: Date | null
      sent_at: Date | null
      created_at: Date
      /** The kinds of facts that were counted, as bits. Null if the message is not counted in the metrics. */
      seen: Generated<number | null>
      counted_at: Date | null
    }
    sms_events: {
      team_id: string
      id: string
      message_id: string
      type: string
      provider_event_id: string | null
      data: ColumnType<Record<string, unknown> | null, string | null, never>
      created_at: Date
    }
    sms_usage: {
      team_id: string
      /** The UTC day of the counts. */
      day: string
      messages_today: number
      spend_units_today: ColumnType<string, number, number>
    }
  }
}

export type MessageType = 'transactional' | 'promotional'
