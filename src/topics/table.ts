import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    topics: { team_id: string; id: string; name: string; created_at: Date }
    /** Kept when the contact opts out, as the record of it. */
    topic_subscriptions: {
      team_id: string
      topic_id: string
      contact_id: string
      status: 'opt_in' | 'opt_out'
      created_at: Date
      updated_at: Date
    }
    /** `bigint` columns arrive as text. */
    topic_counts: { team_id: string; topic_id: string; subscribers: string }
    topic_count_changes: {
      id: Generated<string>
      team_id: string
      topic_id: string
      subscribers: number
    }
    topic_opt_out_counts: { team_id: string; topic_id: string; contacts: string }
    topic_opt_out_changes: {
      id: Generated<string>
      team_id: string
      topic_id: string
      contacts: number
    }
  }
}
