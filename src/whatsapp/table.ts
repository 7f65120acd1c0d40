import type { ColumnType, Generated } from 'kysely'
import type { DeliveryStatus, WhatsappStatus } from './messages/statuses.ts'

declare module '../database.ts' {
  interface Database {
    whatsapp_conversations: {
      team_id: string
      id: string
      sender_id: string
      phone_number: string
      /**
       * The number under which the provider knows the customer, in its shortest form, if it is no form of
       * `phone_number`.
       */
      known_as: Generated<string | null>
      contact_name: string | null
      window_expires_at: Date | null
      last_message_at: Date
      last_message_preview: string
      created_at: Date
    }
    whatsapp_messages: {
      team_id: string
      id: string
      conversation_id: string
      sender_id: string
      direction: 'outbound' | 'inbound'
      from_number: string
      to_number: string
      template_id: string | null
      template_name: string | null
      variables: string[] | null
      body: string
      status: WhatsappStatus
      provider_message_id: string | null
      error: string | null
      handed_over_at: Date | null
      created_at: Date
      sent_at: Date | null
      /** The kinds of facts that were counted, as bits. Null if the message is not counted in the metrics. */
      seen: Generated<number | null>
      counted_at: Date | null
    }
    whatsapp_events: {
      team_id: string
      message_id: string
      type: WhatsappEventType
      id: string
      data: ColumnType<Record<string, unknown> | null, string | null, string | null>
      created_at: Date
    }
    whatsapp_early_statuses: {
      provider_message_id: string
      status: DeliveryStatus
      data: ColumnType<Record<string, unknown> | null, string | null, string | null>
      received_at: Date
    }
  }
}

type WhatsappEventType = DeliveryStatus | 'outcome_unknown'
