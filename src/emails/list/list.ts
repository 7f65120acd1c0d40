import { type RawBuilder, sql } from 'kysely'
import type { App, Caller, Db } from '../../context.ts'
import { findDomain } from '../../domains/queries.ts'
import { invalid } from '../../platform/errors.ts'
import { readTimeRange } from '../../platform/http/time-range.ts'
import { liveTeamOf, modeOf } from '../../platform/mode.ts'
import {
  bytesOf,
  type ListKey,
  likePattern,
  pageOf,
  readCursor,
  type Taken,
  takeContent,
} from '../../platform/pagination.ts'
import { domainSeenBy } from '../get.ts'
import type { EmailStatus } from '../messages/statuses.ts'
import type { EmailListQuery } from '../schema.ts'
import { hidesSystemMail } from '../system-mail.ts'
import { countEmails, countSystemMail, type EmailFilter, findFromMatches, hasMoreSubjectMatches } from './count.ts'
import { countNarrowed, newestNarrowed } from './narrowed.ts'
import { countSearched } from './search-count.ts'
import { countTagged, newestTagged } from './tagged.ts'

export type ListedEmail = {
  id: string
  from: string
  to: string[]
  subject: string
  status: EmailStatus
  domainName: string
  sentAt: Date | null
  createdAt: Date
}

/** Returns a page, newest first, with the exact number of all matches. The first page counts, and cursors carry the number. */
export async function listEmails(app: App, caller: Caller, query: EmailListQuery) {
  const { limit = 20, cursor, status, domainId, search, tag, recipient, broadcastId, from: since, until } = query
  const narrows = { recipient, broadcastId, from: since, until }
  const isNarrowed = Object.values(narrows).some((value) => value !== undefined)
  const times = readTimeRange({ ...(since !== undefined && { from: since }), ...(until !== undefined && { until }) })
  const seen = domainSeenBy(caller)
  const hidesSystem = hidesSystemMail(app, caller)
  const key = {
    list: 'emails',
    teamId: caller.teamId,
    filters: {
      status,
      domainId,
      search,
      seen,
      ...narrows,
      ...(tag !== undefined && { tag }),
      ...(hidesSystem && { hidesSystem }),
    },
  }
  const position = readCursor(app.keyring, key, cursor)
  if (domainId) await refuseUnknownDomain(app.db, caller.teamId, domainId, seen)
  const filter: EmailFilter = {
    teamId: caller.teamId,
    status: status ?? null,
    domainId: seen ?? domainId ?? null,
    hidesSystem,
  }
  const before = position?.id ?? null
  if (broadcastId) await refuseUnknownBroadcast(app.db, caller.teamId, broadcastId, seen)
  if (tag !== undefined && !tag.includes(':'))
    throw invalid('tag', `must be name:value, such as order:1024; it was "${tag}"`)
  if (isNarrowed) {
    const narrowed = {
      ...{ filter, ...times, broadcastId: broadcastId ?? null, tag: tag ?? null },
      recipient: recipient === undefined ? null : recipient.trim().toLowerCase(),
      pattern: search ? likePattern(search) : null,
    }
    const taken = await take(app.db, newestNarrowed(columns, narrowed, before, limit + 1), limit)
    return answer(app, key, taken, position?.total ?? (await countNarrowed(app, narrowed)))
  }
  if (tag !== undefined) {
    const tagged = { filter, tag, pattern: search ? likePattern(search) : null }
    const taken = await take(app.db, newestTagged(columns, tagged, before, limit + 1), limit)
    return answer(app, key, taken, position?.total ?? (await countTagged(app, tagged)))
  }
  if (!search) {
    const taken = await take(app.db, newest(filter, before, limit + 1), limit)
    return answer(app, key, taken, position?.total ?? (await countAll(app.db, filter)))
  }
  const pattern = likePattern(search)
  const from = await findFromMatches(app.db, filter.teamId, pattern)
  const { total, many } = await countMatches(app, filter, pattern, from, position?.total)
  const few = !many && from.length <= sendersMax
  const rows = (few ? matchesOfFew : matchesOfMany)({ filter, pattern, from, before, count: limit + 1 })
  return answer(app, key, await take(app.db, rows, limit), total)
}

/** Counts the matches. On further pages the total is known, and only whether the matches are few is looked up. */
async function countMatches(app: App, filter: EmailFilter, pattern: string, from: string[], known: number | undefined) {
  if (known !== undefined) {
    return { total: known, many: await hasMoreSubjectMatches(app.db, filter, pattern, from, fewMax) }
  }
  const subjects = await countSearched(app, filter, pattern, from)
  const hidden = filter.hidesSystem ? await countSystemMail(app.db, filter, pattern) : 0
  return { total: subjects + (await countEmails(app.db, filter, from)) - hidden, many: subjects > fewMax }
}

async function countAll(db: Db, filter: EmailFilter): Promise<number> {
  const hidden = filter.hidesSystem ? await countSystemMail(db, filter, null) : 0
  return (await countEmails(db, filter, null)) - hidden
}

/** Refuses a domain that does not exist, or that the caller's key may not see. */
async function refuseUnknownDomain(db: Db, teamId: string, domainId: string, seen: string | null): Promise<void> {
  const domain = seen === null || seen === domainId ? await findDomain(db, liveTeamOf(teamId), domainId) : undefined
  if (!domain) throw invalid('domainId', 'is not a domain of this team')
}

/** Refuses a broadcast that does not exist, or that the caller's key may not see. */
async function refuseUnknownBroadcast(db: Db, teamId: string, broadcastId: string, seen: string | null): Promise<void> {
  const { rows } = await sql`
    select from broadcasts as broadcast where team_id = ${teamId} and id = ${broadcastId} and (
      ${seen}::uuid is null or domain_name = (select name from domains where id = ${seen})
    )
  `.execute(db)
  if (rows.length === 0) throw invalid('broadcastId', 'is not a broadcast of this team')
}

/** Limits the bytes of a page, because fifty recipients of a thousand characters each make a row large. */
function take(db: Db, rows: RawBuilder<ListedEmail>, limit: number): Promise<Taken<ListedEmail>> {
  return takeContent(db, rows, { limit, bytes: bytesOf('from', 'to', 'subject') })
}

function answer(app: App, key: ListKey, taken: Taken<ListedEmail>, total: number) {
  const { data, ...page } = pageOf(app.keyring, key, taken, { total })
  const mode = modeOf(key.teamId)
  return { data: data.map((email) => ({ ...email, mode })), ...page, total }
}

/** Up to this number, sorting all matches of the search index is cheap. Beyond it, walking from the newest finds a page soon. */
const fewMax = 2000
const sendersMax = 200

const columns = sql`
  email.id, email.from_address as "from", email.to_addresses as "to", email.subject, email.status,
  email.domain_name as "domainName", email.sent_at as "sentAt", email.created_at as "createdAt"
`

/** Names only the conditions that are asked for, so that each form gets the plan and the index that fit it. */
function matches({ teamId, status, domainId, hidesSystem }: EmailFilter, before: string | null) {
  const conditions = [sql`email.team_id = ${teamId}`]
  if (status) conditions.push(sql`email.status = ${status}`)
  if (domainId) conditions.push(sql`email.domain_id = ${domainId}`)
  if (before) conditions.push(sql`email.id < ${before}`)
  if (hidesSystem) conditions.push(sql`not email.system`)
  return sql.join(conditions, sql` and `)
}

function newest(filter: EmailFilter, before: string | null, count: number) {
  return sql<ListedEmail>`
    select ${columns} from emails as email where ${matches(filter, before)} order by email.id desc limit ${count}
  `
}

/** `from` are the senders whose address holds the text; `before` is the id where the last page ended. */
type Search = { filter: EmailFilter; pattern: string; from: string[]; before: string | null; count: number }

/** Finds rare words: all matching subjects by the search index, and the newest emails of each matching sender. */
function matchesOfFew({ filter, pattern, from, before, count }: Search) {
  return sql<ListedEmail>`
    with by_subject as materialized (
      select ${columns} from emails as email where ${matches(filter, before)} and email.subject ilike ${pattern}
    ), by_sender as (
      select found.* from unnest(${from}::text[]) as sender (address) cross join lateral (
        select ${columns} from emails as email
        where ${matches(filter, before)} and email.from_address = sender.address
        order by email.id desc limit ${count}
      ) as found
    )
    select * from by_subject union select * from by_sender order by id desc limit ${count}
  `
}

/** Walks back from the newest email, for common words. The concatenation keeps the planner from collecting all matches first. */
function matchesOfMany({ filter, pattern, from, before, count }: Search) {
  return sql<ListedEmail>`
    select ${columns} from emails as email
    where ${matches(filter, before)} and ((email.subject || '') ilike ${pattern} or email.from_address = any(${from}::text[]))
    order by email.id desc limit ${count}
  `
}
