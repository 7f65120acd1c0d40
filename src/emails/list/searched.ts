import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { newestOfStatus } from './by-status.ts'
import { countEmails, countSystemMail, type EmailFilter, findFromMatches, hasMoreSubjectMatches } from './count.ts'
import { countSearched } from './search-count.ts'
import { columns, type ListedEmail, matches, type Page, type Selection } from './selection.ts'

/** Up to this number, sorting all matches of the search index is cheap. Beyond it, walking from the newest finds a page soon. */
const sortedMax = 2000
const sendersMax = 200

/** `senders` are those whose address or name holds the text. */
type Search = { filter: EmailFilter; pattern: string; senders: string[] }

/**
 * Selects emails whose subject or sender holds the text, and counts them. On further pages the number is known, and only whether
 * few subjects match is looked up.
 */
export async function searched(
  app: App,
  filter: EmailFilter,
  pattern: string,
  page: Page,
  known: number | undefined,
): Promise<Selection> {
  const senders = await findFromMatches(app.db, filter.teamId, pattern)
  const search = { filter, pattern, senders }
  const subjects = known === undefined ? await countSearched(app, filter, pattern, senders) : null
  const total = known ?? subjects! + (await countOfSenders(app, search))
  const isMany =
    subjects === null ? await hasMoreSubjectMatches(app.db, filter, pattern, senders, sortedMax) : subjects > sortedMax
  const sorts = !isMany && senders.length <= sendersMax && !filter.isRareStatus
  return { rows: (sorts ? sortMatches : walkToMatches)(search, page), total }
}

async function countOfSenders(app: App, { filter, pattern, senders }: Search): Promise<number> {
  const hidden = filter.hidesSystem ? await countSystemMail(app.db, filter, pattern) : 0
  return (await countEmails(app.db, filter, senders)) - hidden
}

/** Finds rare words: all matching subjects by the search index, and the newest emails of each matching sender. */
function sortMatches({ filter, pattern, senders }: Search, { before, count }: Page) {
  return sql<ListedEmail>`
    with by_subject as materialized (
      select ${columns} from emails as email where ${matches(filter, before)} and email.subject ilike ${pattern}
    ), by_sender as (
      select found.* from unnest(${senders}::text[]) as sender (address) cross join lateral (
        select ${columns} from emails as email
        where ${matches(filter, before)} and email.from_address = sender.address
        order by email.id desc limit ${count}
      ) as found
    )
    select * from by_subject union select * from by_sender order by id desc limit ${count}
  `
}

/** Walks back from the newest email, for common words. The concatenation keeps the planner from collecting all matches first. */
function walkToMatches({ filter, pattern, senders }: Search, { before, count }: Page) {
  const isMatch = sql`((email.subject || '') ilike ${pattern} or email.from_address = any(${senders}::text[]))`
  if (filter.status) {
    const conditions = sql`${matches(filter, null)} and ${isMatch}`
    return newestOfStatus<ListedEmail>(columns, filter, conditions, { from: null, before }, count)
  }
  return sql<ListedEmail>`
    select ${columns} from emails as email where ${matches(filter, before)} and ${isMatch}
    order by email.id desc limit ${count}
  `
}
