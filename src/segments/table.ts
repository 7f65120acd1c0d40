import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    segments: { team_id: string; id: string; name: string; created_at: Date }
    segment_contacts: { team_id: string; segment_id: string; contact_id: string; added_at: Date }
    /** `bigint` columns arrive as text. */
    segment_counts: { team_id: string; segment_id: string; contacts: string; unsubscribed: string }
    segment_count_changes: {
      id: Generated<string>
      team_id: string
      segment_id: string
      contacts: number
      unsubscribed: number
    }
  }
}
