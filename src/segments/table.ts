import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    segments: SegmentsTable
    segment_contacts: SegmentContactsTable
    segment_counts: SegmentCountsTable
    segment_count_changes: SegmentCountChangesTable
  }
}

export type SegmentsTable = { team_id: string; id: string; name: string; created_at: Date }

export type SegmentContactsTable = { team_id: string; segment_id: string; contact_id: string; added_at: Date }

/** `bigint` columns arrive as text. */
export type SegmentCountsTable = { team_id: string; segment_id: string; contacts: string; unsubscribed: string }
export type SegmentCountChangesTable = {
  id: Generated<string>
  team_id: string
  segment_id: string
  contacts: number
  unsubscribed: number
}
