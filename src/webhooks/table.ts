import type { ColumnType, Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    webhooks: {
      team_id: string
      id: string
      endpoint_url: string
      events: string[]
      /** Encrypted. */
      signing_secret: string
      /** Encrypted. The previous secret, for the signatures of Standard Webhooks until `previous_secret_until`. */
      previous_signing_secret: string | null
      previous_secret_until: Date | null
      status: Generated<WebhookStatus>
      signature_scheme: Generated<SignatureScheme>
      /** The form of its payloads: ours, or that of Resend's webhooks. */
      payload_format: Generated<'posthorn' | 'resend'>
      /** True if it gets events of test messages. */
      include_test: Generated<boolean>
      /** When the webhook last accepted a delivery (to the hour), was created, or was switched on. */
      healthy_at: Generated<Date>
      /**
       * When it was announced that the webhook keeps failing. It does so still while this is later than `healthy_at`.
       */
      failing_noted_at: Date | null
      /** True once it has accepted a delivery at its present URL. */
      confirmed: Generated<boolean>
      created_at: Date
    }
    webhook_deliveries: {
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
      /** The duration of the last attempt. */
      attempt_ms: number | null
      /** JSON is written as text. Null until the first attempt is recorded. */
      attempt_log: ColumnType<DeliveryAttempt[] | null, never, string | null>
      /** When a failed delivery was sent again. */
      replayed_at: Date | null
      /** The time at which the last attempt, or the end without one, was recorded. */
      counted_at: Date | null
    }
  }
}

export type WebhookStatus = 'active' | 'inactive'

/** What the three `webhook-` headers follow: this API as it is specified, or Standard Webhooks. */
export const signatureSchemes = ['posthorn', 'standard'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The outcome of an attempt, as it is kept. `at` is in ISO 8601. */
export type DeliveryAttempt = {
  at: string
  durationMs: number
  /** Null if no answer came; `error` then says why. */
  statusCode: number | null
  error: string | null
  /** The first 1 KiB of the answer. */
  body: string | null
}
