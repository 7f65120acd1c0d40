import type { Generated } from 'kysely'

export type WebhookStatus = 'active' | 'inactive'

export type WebhooksTable = {
  team_id: string
  id: string
  endpoint_url: string
  events: string[]
  /** Encrypted. */
  signing_secret: string
  /** Encrypted. The one before, which signs too until `previous_secret_until`. */
  previous_signing_secret: string | null
  previous_secret_until: Date | null
  status: Generated<WebhookStatus>
  /** When it last took a delivery, to the hour; or was made, or switched on. */
  healthy_at: Generated<Date>
  created_at: Date
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export type WebhookDeliveriesTable = {
  team_id: string
  webhook_id: string
  id: string
  event_type: string
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  response_status_code: number | null
  last_attempt_at: Date | null
  due_at: Date | null
  payload: string
  created_at: Date
}
