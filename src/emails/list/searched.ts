import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { pageLimit } from '../../platform/pagination.ts'
import { likeAnyCase, someLikeAnyCase } from '../../platform/sql/like.ts'
import { newestOfStatus } from './by-status.ts'
import { countRange, emailCount, findFromMatches, hasMoreSubjectMatches, systemMailCount } from './count.ts'
import type { EmailFilter } from './filter.ts'
import { countFromKept, countKey, countSearched } from './search-count.ts'
import {
  columns,
  isTo,
  type ListedEmail,
  matches,
  type PageBounds,
  type SearchText,
  type Selection,
} from './selection.ts'

/**
 * Up to this number, sorting all matches of the search index is cheap. Beyond it, walking from the newest finds a page
 * soon.
 */
const sortedMax = 2000
const sendersMax = 200

/** `senders` are those whose address or name holds the text. */
type Search = { filter: EmailFilter; text: SearchText; senders: string[] }

/**
 * Selects emails that have the text, and counts them. On further pages the number is known, and only whether
 * few subjects match is looked up.
 */
export async function searched(
  app: App,
  filter: EmailFilter,
  text: SearchText,
  page: PageBounds,
  known: number | undefined,
): Promise<Selection> {
  const { pattern } = text
  const senders = await findFromMatches(app.db, filter.teamId, pattern)
  const search = { filter, text, senders }
  const { total, isMany } =
    known === undefined
      ? await countMatches(app, search)
      : { total: known, isMany: await hasMoreSubjectMatches(app.db, filter, pattern, senders, sortedMax) }
  // The emails of a rare status are fewer than what the search index finds.
  const sorts = !isMany && senders.length <= sendersMax && !filter.isRareStatus
  return { rows: (sorts ? sortMatches : walkToMatches)(search, page), total }
}

/** Counts the matches: those by subject, by sender, and by recipient alone. `isMany` is about subjects. */
async function countMatches(app: App, search: Search) {
  const { filter, text, senders } = search
  const subjects = await countSearched(app, filter, text.pattern, senders)
  const others = await countOnlyTo(app, filter, text)
  const ofSenders = emailCount(filter, senders)
  // `subjects` and `ofSenders` include system mail, and `others` does not.
  const hidden = filter.hidesSystem ? systemMailCount(filter, text.pattern) : sql`0`
  const total = sql<string>`(${subjects + others}::bigint + ${ofSenders} - ${hidden})`
  return { total, isMany: subjects > sortedMax }
}

/**
 * Finds rare words: all matching subjects and recipients by their indexes, and the newest emails of each matching
 * sender.
 */
function sortMatches({ filter, text: { pattern, addresses }, senders }: Search, { before, count }: PageBounds) {
  const byRecipient =
    addresses === null
      ? sql``
      : sql`, by_recipient as materialized (
      select ${columns} from emails as email where ${matches(filter, before)} and ${isTo(addresses)}
    )`
  const orToAddress =
    addresses === null ? sql`` : sql`union (select * from by_recipient order by id desc limit ${pageLimit(count)})`
  return sql<ListedEmail>`
    with by_subject as materialized (
      select ${columns} from emails as email where ${matches(filter, before)} and ${likeAnyCase(sql`email.subject`, pattern)}
    ), by_sender as (
      select found.* from unnest(${senders}::text[]) as sender (address) cross join lateral (
        select ${columns} from emails as email
        where ${matches(filter, before)} and email.from_address = sender.address
        order by email.id desc limit ${pageLimit(count)}
      ) as found
    )${byRecipient}
    select * from by_subject union select * from by_sender ${orToAddress} order by id desc limit ${pageLimit(count)}
  `
}

/**
 * Walks back from the newest email, for common words, many senders and rare statuses. The concatenation keeps the
 * planner from collecting all matches first.
 */
function walkToMatches({ filter, text: { pattern, addresses }, senders }: Search, { before, count }: PageBounds) {
  const orToAddress = addresses === null ? sql`` : sql`or ${isTo(addresses)}`
  const isMatch = sql`(${likeAnyCase(sql`email.subject || ''`, pattern)} or email.from_address = any(${senders}::text[])
    ${orToAddress})`
  if (filter.status) {
    const conditions = sql`${matches(filter, null)} and ${isMatch}`
    return newestOfStatus<ListedEmail>(columns, filter, conditions, { from: null, before }, count)
  }
  return sql<ListedEmail>`
    select ${columns} from emails as email where ${matches(filter, before)} and ${isMatch}
    order by email.id desc limit ${pageLimit(count)}
  `
}

/**
 * Returns the exact number of emails that only their recipients match: those to the address whose subject and sender do
 * not hold the text. Adds newer emails to the count of an earlier request. 0 for a text that is no address.
 */
async function countOnlyTo(app: App, filter: EmailFilter, { pattern, addresses }: SearchText): Promise<number> {
  if (addresses === null) return 0
  const keptUnder = countKey('only to', { addresses, hidesSystem: filter.hidesSystem })
  const matching = sql`emails as email where ${matches(filter, null)} and ${isTo(addresses)}
    and not ${someLikeAnyCase(['email.subject', 'email.from_address'], pattern)}`
  return countFromKept(app, filter, keptUnder, (range) => countRange(app.db, matching, range))
}
