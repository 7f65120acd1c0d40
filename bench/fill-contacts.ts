import type pg from 'pg'
import { idOf, untilFolded } from './fill-emails.ts'

const chunk = 20_000

/**
 * Inserts the contacts `from` up to `to` into the real tables, so that triggers count them. One in eight is named
 * Maria, one in ten thousand Zebra.
 */
export async function fillContacts(pool: pg.Pool, teamId: string, from: number, to: number): Promise<void> {
  await inChunks(from, to, (first, last) => pool.query(insertContacts, [teamId, first, last]))
  await analyze(pool, 'contacts')
}

/** Adds every contact from `from` up to `to` to one of these segments, in turn. */
export async function fillSegments(pool: pg.Pool, teamId: string, segmentIds: string[], from: number, to: number) {
  await inChunks(from, to, (first, last) => pool.query(insertMembers, [teamId, segmentIds, first, last]))
  await analyze(pool, 'segment_contacts')
  await untilFolded(pool, 'segment_count_changes')
}

/** Opts every second contact from `from` up to `to` in to the topic. */
export async function fillTopic(pool: pg.Pool, teamId: string, topicId: string, from: number, to: number) {
  await inChunks(from, to, (first, last) => pool.query(insertSubscriptions, [teamId, topicId, first, last]))
  await analyze(pool, 'topic_subscriptions')
  await untilFolded(pool, 'topic_count_changes')
}

async function inChunks(from: number, to: number, insert: (first: number, last: number) => Promise<unknown>) {
  for (let first = from; first < to; first += chunk) await insert(first, Math.min(first + chunk, to) - 1)
}

/** Analyzes the table, as autovacuum would have done meanwhile. */
async function analyze(pool: pg.Pool, table: string): Promise<void> {
  await pool.query(`vacuum (analyze) ${table}`)
}

const insertContacts = `
  insert into contacts (team_id, id, email, email_key, first_name, last_name, properties, unsubscribe_seed,
    unsubscribe_hash, created_at, updated_at)
  select $1, ${idOf}, email, email, first_name, last_name, jsonb_build_object('city', city, 'points', n % 1000),
    md5('seed ' || n), md5('hash ' || n), at, at
  from (
    select n, 'person' || n || '@example.com' as email, to_timestamp(1780000000 + n / 10.0) as at,
      (array['Maria', 'Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia'])[1 + n % 8] as first_name,
      initcap(substr(md5(n::text), 1, 8)) || case when n % 10000 = 77 then ' Zebra' else '' end as last_name,
      (array['London', 'Oslo', 'Turin', 'Porto', 'Lyon'])[1 + n % 5] as city
    from generate_series($2::int, $3::int) as n
  ) as made
`

const insertMembers = `
  insert into segment_contacts (team_id, segment_id, contact_id, added_at)
  select $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])], ${idOf}, now()
  from generate_series($3::int, $4::int) as n
`

const insertSubscriptions = `
  insert into topic_subscriptions (team_id, topic_id, contact_id, status, created_at, updated_at)
  select $1, $2, ${idOf}, 'opt_in', now(), now()
  from generate_series($3::int, $4::int) as n
  where n % 2 = 0
`
