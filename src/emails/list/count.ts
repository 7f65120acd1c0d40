import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../context.ts'
import { readNumber } from '../../platform/pagination.ts'
import { foldCounts } from '../../platform/sql/fold-counts.ts'
import { likeAnyCase, someLikeAnyCase } from '../../platform/sql/like.ts'
import type { EmailStatus } from '../messages/statuses.ts'
import { emailsOf } from './by-status.ts'
import { conditionsOf, type EmailFilter } from './filter.ts'

const rareMax = 5000

/** Tells whether the team has few emails with the status, of all its domains. */
export async function hasFewOfStatus(db: Db, teamId: string, status: EmailStatus): Promise<boolean> {
  const filter = { teamId, status, domainId: null, hidesSystem: false, isRareStatus: false }
  return (await readNumber(db, emailCount(filter, null))) <= rareMax
}

/**
 * The exact number of emails that match, as SQL, from the stored counts; with `senders`, only of these. System mail
 * counts too.
 */
export function emailCount(filter: EmailFilter, senders: string[] | null): RawBuilder<string> {
  const conditions = conditionsOf(filter, 'counts')
  if (senders) conditions.push(sql`counts.from_address = any(${senders}::text[])`)
  const isCounted = sql.join(conditions, sql` and `)
  return sql`(
    select coalesce(sum(count), 0) from (
      select count from email_counts as counts where ${isCounted}
      union all
      select change as count from email_count_changes as counts where ${isCounted}
    ) as counts
  )`
}

/** The emails of the filter, with system mail, whose number callers subtract. */
function ofFilter(filter: EmailFilter) {
  return sql.join(conditionsOf(filter, 'email'), sql` and `)
}

/**
 * The number, as SQL, of system mail that matches and whose subject or sender holds the text. The index of system mail
 * finds it.
 */
export function systemMailCount(filter: EmailFilter, pattern: string | null): RawBuilder<string> {
  const text = pattern ? sql`and ${someLikeAnyCase(['subject', 'from_address'], pattern)}` : sql``
  return sql`(select count(*) from emails as email where ${ofFilter(filter)} and system ${text})`
}

/** Finds the senders whose address or name holds the text. They are few for any number of emails. */
export async function findFromMatches(db: Db, teamId: string, pattern: string): Promise<string[]> {
  const isLike = likeAnyCase(sql`from_address`, pattern)
  const { rows } = await sql<{ address: string }>`
    select from_address as address from email_counts where team_id = ${teamId} and ${isLike}
    union
    select from_address from email_count_changes where team_id = ${teamId} and ${isLike}
  `.execute(db)
  return rows.map((row) => row.address)
}

/** Ids after `afterId`. The emails up to `throughId` are settled. */
export type Range = { afterId: string | null; throughId: string }
export type RangeCount = { settled: number; newer: number }

/** Counts the rows of `matches`, an SQL `from … where …`, whose `id` is in the range. */
export async function countRange(
  db: Db,
  matches: RawBuilder<unknown>,
  { afterId, throughId }: Range,
  id = sql`email.id`,
): Promise<RangeCount> {
  const { rows } = await sql<{ settled: string; newer: string }>`
    select count(*) filter (where ${id} <= ${throughId}) as settled, count(*) filter (where ${id} > ${throughId}) as newer
    from ${matches} ${afterId ? sql`and ${id} > ${afterId}` : sql``}
  `.execute(db)
  return { settled: Number(rows[0]!.settled), newer: Number(rows[0]!.newer) }
}

/**
 * Counts emails whose subject holds the text, except those from `senders`. The time goes with the matches in the search
 * index.
 */
export function countSubjectMatches(
  db: Db,
  filter: EmailFilter,
  pattern: string,
  senders: string[],
  range: Range,
): Promise<RangeCount> {
  return countRange(db, sql`${emailsOf(filter)} as email where ${subjectMatches(filter, pattern, senders)}`, range)
}

/** Tells whether the same emails are more than `most`, without counting further. */
export async function hasMoreSubjectMatches(
  db: Db,
  filter: EmailFilter,
  pattern: string,
  senders: string[],
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${emailsOf(filter)} as email where ${subjectMatches(filter, pattern, senders)} offset ${most} limit 1
  `.execute(db)
  return rows.length > 0
}

function subjectMatches(filter: EmailFilter, pattern: string, senders: string[]) {
  return sql`${ofFilter(filter)} and ${likeAnyCase(sql`subject`, pattern)} and from_address <> all(${senders}::text[])`
}

export const foldEmailCounts = foldCounts({
  changes: 'email_count_changes',
  totals: 'email_counts',
  keys: ['team_id', 'domain_id', 'status', 'from_address'],
  lists: ['came', 'went'],
  sums: { change: 'count' },
})
