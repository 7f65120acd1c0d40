import { type RawBuilder, sql } from 'kysely'
import { pageLimit } from '../../platform/pagination.ts'
import type { EmailFilter } from './filter.ts'

/** From `from` up to before `before`; null: without this bound. */
type IdRange = { from: string | null; before: string | null }

/**
 * Selects the newest emails with the status of the filter whose ids are in the range. Walks the list of the status, so
 * the time depends on the emails of that status alone. `conditions` are about `email`.
 */
export function newestOfStatus<T>(
  columns: RawBuilder<unknown>,
  filter: EmailFilter,
  conditions: RawBuilder<unknown>,
  { from, before }: IdRange,
  count: number,
) {
  const page = (ids: RawBuilder<unknown>) => sql`(
    select ${columns} from ${ids} as candidate cross join lateral ${lookUp(filter)} as email
    where ${conditions} ${before ? sql`and candidate.email_id < ${before}` : sql``}
      ${from ? sql`and candidate.email_id >= ${from}` : sql``}
    order by candidate.email_id desc limit ${pageLimit(count)}
  )`
  return sql<T>`
    select * from (${page(listedIds(filter))} union ${page(unfoldedIds(filter))}) as found order by id desc limit ${pageLimit(count)}
  `
}

/** The table to select emails from. If the filter has a rare status, it holds only the emails with this status. */
export function emailsOf(filter: EmailFilter): RawBuilder<unknown> {
  if (!filter.isRareStatus) return sql`emails`
  return sql`(
    select email.* from (select * from ${listedIds(filter)} as listed union select * from ${unfoldedIds(filter)} as unfolded) as candidate
    cross join lateral ${lookUp(filter)} as email
  )`
}

function listedIds({ teamId, status }: EmailFilter) {
  return sql`(select email_id from email_statuses where team_id = ${teamId} and status = ${status})`
}

/** The emails that came to the status and are not in its list yet. */
function unfoldedIds({ teamId, status }: EmailFilter) {
  return sql`(
    select distinct unnest(came) as email_id from email_count_changes where team_id = ${teamId} and status = ${status}
  )`
}

/** Finds the email by its whole key, in a form that leaves the planner no choice. It may have another status by now. */
function lookUp({ teamId, status }: EmailFilter) {
  return sql`(
    select * from emails where team_id = ${teamId} and id = candidate.email_id and status = ${status} limit 1
  )`
}
