import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../context.ts'
import { likeAnyCase, readNumber, someLikeAnyCase } from '../../platform/pagination.ts'
import type { EmailStatus } from '../messages/statuses.ts'
import { type EmailFilter, emailsOf } from './by-status.ts'

const rareMax = 5000

/** Tells whether the team has few emails with the status, of all its domains. */
export async function isRareStatus(db: Db, teamId: string, status: EmailStatus): Promise<boolean> {
  const filter = { teamId, status, domainId: null, hidesSystem: false, isRareStatus: false }
  return (await countEmails(db, filter, null)) <= rareMax
}

/** Returns the exact number of emails that match, from the stored counts; with `from`, only of these senders. */
export function countEmails(db: Db, filter: EmailFilter, from: string[] | null): Promise<number> {
  return readNumber(db, emailCount(filter, from))
}

/** The same number as SQL. */
export function emailCount(filter: EmailFilter, from: string[] | null): RawBuilder<string> {
  return sql`(
    select coalesce(sum(count), 0) from (
      select count from email_counts where ${filtered(filter, from)}
      union all
      select change as count from email_count_changes where ${filtered(filter, from)}
    ) as counts
  )`
}

function filtered({ teamId, status, domainId }: EmailFilter, from: string[] | null) {
  const conditions = [sql`team_id = ${teamId}`]
  if (status) conditions.push(sql`status = ${status}`)
  if (domainId) conditions.push(sql`domain_id = ${domainId}`)
  if (from) conditions.push(sql`from_address = any(${from}::text[])`)
  return sql.join(conditions, sql` and `)
}

/**
 * The number, as SQL, of system mail that matches and whose subject or sender holds the text. The index of system mail
 * finds it.
 */
export function systemMailCount(filter: EmailFilter, pattern: string | null): RawBuilder<string> {
  const text = pattern ? sql`and ${someLikeAnyCase(['subject', 'from_address'], pattern)}` : sql``
  return sql`(select count(*) from emails where ${filtered(filter, null)} and system ${text})`
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

/**
 * Counts emails whose subject holds the text, except those from `from`. The time goes with the matches in the search
 * index.
 */
export async function countSubjectMatches(
  db: Db,
  filter: EmailFilter,
  pattern: string,
  from: string[],
  { afterId, throughId }: Range,
): Promise<RangeCount> {
  const { rows } = await sql<{ settled: string; newer: string }>`
    select count(*) filter (where id <= ${throughId}) as settled, count(*) filter (where id > ${throughId}) as newer
    from ${emailsOf(filter)} as email where ${subjectMatches(filter, pattern, from)} ${afterId ? sql`and id > ${afterId}` : sql``}
  `.execute(db)
  return { settled: Number(rows[0]!.settled), newer: Number(rows[0]!.newer) }
}

/** Tells whether the same emails are more than `most`, without counting further. */
export async function hasMoreSubjectMatches(
  db: Db,
  filter: EmailFilter,
  pattern: string,
  from: string[],
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${emailsOf(filter)} as email where ${subjectMatches(filter, pattern, from)} offset ${most} limit 1
  `.execute(db)
  return rows.length > 0
}

function subjectMatches(filter: EmailFilter, pattern: string, from: string[]) {
  return sql`${filtered(filter, null)} and ${likeAnyCase(sql`subject`, pattern)} and from_address <> all(${from}::text[])`
}
