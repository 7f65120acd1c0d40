import { sql } from 'kysely'
import { groupsOf } from '../audience/group.ts'

type Topic = { id: string; name: string; subscriberCount: number; createdAt: Date }

/** Adds the totals and the changes since in one snapshot, so that counts are exact. */
const counted = sql`
  select topics.id, topics.name,
    (coalesce(kept.subscribers, 0) + coalesce(newer.subscribers, 0))::integer as "subscriberCount",
    topics.created_at as "createdAt"
  from topics
  left join topic_counts kept on kept.team_id = topics.team_id and kept.topic_id = topics.id
  left join lateral (
    select sum(subscribers) as subscribers from topic_count_changes changes
    where changes.team_id = topics.team_id and changes.topic_id = topics.id
  ) newer on true`

export const {
  find: findTopic,
  lock: lockTopic,
  list: listTopics,
  create: createTopic,
  update: updateTopic,
  remove: deleteTopic,
} = groupsOf<Topic>({ noun: 'topic', counted, useOf: 'is sent about' })
