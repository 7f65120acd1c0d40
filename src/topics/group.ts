import { type RawBuilder, sql } from 'kysely'
import { groupsOf } from '../audience/group.ts'
import { optedInByDefault } from './opted-in-by-default.ts'

type Topic = { id: string; name: string; subscriberCount: number; createdAt: Date }

/** Adds two kept numbers: the total, and the changes that are not in it yet. */
function kept(totals: string, changes: string, column: string, isOwn: RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce((select sum(${sql.ref(column)}) from (
    select ${sql.ref(column)} from ${sql.table(totals)} where ${isOwn}
    union all
    select ${sql.ref(column)} from ${sql.table(changes)} where ${isOwn}
  ) as counted), 0)`
}

const ofTopic = sql`team_id = topics.team_id and topic_id = topics.id`
const optedIn = kept('topic_counts', 'topic_count_changes', 'subscribers', ofTopic)
const optedOut = kept('topic_opt_out_counts', 'topic_opt_out_changes', 'contacts', ofTopic)
const contacts = kept('contact_counts', 'contact_count_changes', 'contacts', sql`team_id = topics.team_id`)

/** Reads all numbers in one snapshot, so that counts are exact. */
const counted = sql`
  select topics.id, topics.name,
    (case when ${optedInByDefault(sql`array[topics.team_id]`, sql`topics.id`)} then ${contacts} - ${optedOut} else ${optedIn} end)::integer
      as "subscriberCount",
    topics.created_at as "createdAt"
  from topics`

export const {
  find: findTopic,
  lock: lockTopic,
  list: listTopics,
  create: createTopic,
  update: updateTopic,
  delete: deleteTopic,
  insert: insertTopic,
  change: changeTopic,
  remove: removeTopic,
} = groupsOf<Topic>({ noun: 'topic', counted, useOf: 'is sent about' })
