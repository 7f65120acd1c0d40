import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    broadcasts: {
      team_id: string
      id: string
      name: string
      from_address: string
      domain_name: string
      segment_id: string
      segment_name: string
      topic_id: string | null
      reply_to: string | null
      subject: string
      html: string | null
      text: string | null
      text_made: boolean
      status: Generated<BroadcastStatus>
      scheduled_at: Date | null
      /** When everybody in the segment had become a recipient. Null until then, and nothing is sent before. */
      planned_at: Generated<Date | null>
      /** The last contact whose turn has come. Recipients are taken in the order of contacts. */
      reached: Generated<string>
      sent_at: Generated<Date | null>
      /** When its job was discarded. Null if it ended well or was cancelled. */
      failed_at: Generated<Date | null>
      /** True in test mode for a segment or a topic of the live team. Test keys do not see such a broadcast. */
      reads_live: Generated<boolean>
      created_at: Date
    }
    broadcast_recipients: {
      team_id: string
      broadcast_id: string
      contact_id: string
      outcome: Outcome | null
      email_id: string | null
      /**
       * Its email was handed over, or ended without that. With `direct` it is handed over to jobs, so this is true
       * while the hosts of the recipient's domain are still tried, unlike `FactsOfEmail.settled`. A skipped recipient
       * may be either.
       */
      settled: Generated<boolean>
      delivered: Generated<boolean>
      opened: Generated<boolean>
      clicked: Generated<boolean>
      bounced: Generated<boolean>
      complained: Generated<boolean>
    }
  }
}

type BroadcastStatus = 'draft' | 'scheduled' | 'queued' | 'sending' | 'sent'

/** The result for a recipient. Those without `emailMade` have no email, or theirs ended unsent. */
export type Outcome =
  | typeof emailMade
  | 'unsubscribed'
  | 'suppressed'
  | 'not_opted_in'
  | 'cancelled'
  | 'gone'
  | 'failed'

/** An email was made for the recipient. The API calls it sent once it is `settled`. */
export const emailMade = 'sent'
