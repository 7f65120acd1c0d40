import { type RawBuilder, sql } from 'kysely'
import { pageLimit } from '../../platform/pagination.ts'
import { newestOfStatus } from './by-status.ts'
import { emailCount, systemMailCount } from './count.ts'
import type { EmailFilter } from './filter.ts'
import { columns, type ListedEmail, matches, type PageBounds } from './selection.ts'

/** Selects a page of all emails of the filter. */
export function newestOfAll(filter: EmailFilter, { before, count }: PageBounds): RawBuilder<ListedEmail> {
  if (filter.status) {
    return newestOfStatus<ListedEmail>(columns, filter, matches(filter, null), { from: null, before }, count)
  }
  return sql<ListedEmail>`
    select ${columns} from emails as email where ${matches(filter, before)} order by email.id desc limit ${pageLimit(count)}
  `
}

/** The exact number of all emails of the filter, as SQL. */
export function countOfAll(filter: EmailFilter): RawBuilder<string> {
  const all = emailCount(filter, null)
  return filter.hidesSystem ? sql`(${all} - ${systemMailCount(filter, null)})` : all
}
