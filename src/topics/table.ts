import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    topics: TopicsTable
    topic_subscriptions: TopicSubscriptionsTable
    topic_counts: TopicCountsTable
    topic_count_changes: TopicCountChangesTable
  }
}

export type TopicsTable = { team_id: string; id: string; name: string; created_at: Date }

/** Kept when the contact opts out, as the record of it. */
export type TopicSubscriptionsTable = {
  team_id: string
  topic_id: string
  contact_id: string
  status: 'opt_in' | 'opt_out'
  created_at: Date
  updated_at: Date
}

/** `bigint` columns arrive as text. */
export type TopicCountsTable = { team_id: string; topic_id: string; subscribers: string }
export type TopicCountChangesTable = {
  id: Generated<string>
  team_id: string
  topic_id: string
  subscribers: number
}
