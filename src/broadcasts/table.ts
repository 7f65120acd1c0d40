import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    broadcasts: BroadcastsTable
    broadcast_recipients: BroadcastRecipientsTable
  }
}

type BroadcastStatus = 'draft' | 'scheduled' | 'queued' | 'sending' | 'sent'

export type BroadcastsTable = {
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
  planned_at: Generated<Date | null>
  reached: Generated<string>
  sent_at: Generated<Date | null>
  failed_at: Generated<Date | null>
  /** True in test mode for a segment or a topic of the live team. Test keys do not see such a broadcast. */
  reads_live: Generated<boolean>
  created_at: Date
}

export type Outcome = 'sent' | 'unsubscribed' | 'suppressed' | 'not_opted_in' | 'cancelled' | 'gone' | 'failed'

export type BroadcastRecipientsTable = {
  team_id: string
  broadcast_id: string
  contact_id: string
  outcome: Outcome | null
  email_id: string | null
  settled: Generated<boolean>
  delivered: Generated<boolean>
  opened: Generated<boolean>
  clicked: Generated<boolean>
  bounced: Generated<boolean>
  complained: Generated<boolean>
}
