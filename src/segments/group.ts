import { sql } from 'kysely'
import { groupsOf } from '../audience/group.ts'

type Segment = { id: string; name: string; contactCount: number; unsubscribedCount: number; createdAt: Date }

/** Adds the totals and the changes since in one snapshot, so that counts are exact. */
const counted = sql`
  select segments.id, segments.name,
    (coalesce(kept.contacts, 0) + coalesce(newer.contacts, 0))::integer as "contactCount",
    (coalesce(kept.unsubscribed, 0) + coalesce(newer.unsubscribed, 0))::integer as "unsubscribedCount",
    segments.created_at as "createdAt"
  from segments
  left join segment_counts kept on kept.team_id = segments.team_id and kept.segment_id = segments.id
  left join lateral (
    select sum(contacts) as contacts, sum(unsubscribed) as unsubscribed from segment_count_changes changes
    where changes.team_id = segments.team_id and changes.segment_id = segments.id
  ) newer on true`

export const {
  find: findSegment,
  lock: lockSegment,
  list: listSegments,
  create: createSegment,
  update: updateSegment,
  delete: deleteSegment,
} = groupsOf<Segment>({ noun: 'segment', counted, useOf: 'goes to' })
