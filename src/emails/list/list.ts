import { sql } from 'kysely'
import type { App, Caller, Db } from '../../context.ts'
import { findDomain } from '../../domains/queries.ts'
import { invalid } from '../../platform/errors.ts'
import { readTimeRange } from '../../platform/http/schema/time-range.ts'
import { liveTeamOf, modeOf } from '../../platform/mode/mode.ts'
import { bytesOf, pageOf, readCursor, type Taken, takeContent, takeCounted } from '../../platform/pagination.ts'
import { likePattern } from '../../platform/sql/like.ts'
import { addressForms } from '../../platform/text/mail-address.ts'
import { domainSeenBy } from '../get.ts'
import { parseMailbox } from '../mailbox.ts'
import type { EmailListQuery } from '../schema.ts'
import { hidesSystemMail } from '../system-mail.ts'
import { countOfAll, newestOfAll } from './all.ts'
import { hasFewOfStatus } from './count.ts'
import type { EmailFilter } from './filter.ts'
import { countNarrowed, newestNarrowed } from './narrowed.ts'
import { searched } from './searched.ts'
import type { ListedEmail, PageBounds, SearchText, Selection } from './selection.ts'
import { countTagged, newestTagged } from './tagged.ts'

/**
 * Returns a page, newest first, with the exact number of all matches. The first page counts, and cursors carry the
 * number.
 */
export async function listEmails(app: App, caller: Caller, query: EmailListQuery) {
  const { limit = 20, cursor, ...asked } = query
  if (asked.search !== undefined && asked.find !== undefined)
    throw invalid('find', 'takes the place of search: give one')
  const onlyDomainId = domainSeenBy(caller)
  const hidesSystem = hidesSystemMail(app, caller)
  const filters = { ...asked, seen: onlyDomainId, ...(hidesSystem && { hidesSystem }) }
  const key = { list: 'emails', teamId: caller.teamId, filters }
  const position = readCursor(app.keyring, key, cursor)
  const filter = await readFilter(app.db, caller.teamId, asked, { onlyDomainId, hidesSystem })
  const page = { before: position?.id ?? null, count: limit + 1 }
  const selection = await select(app, filter, asked, page, position?.total)
  const { total, ...taken } = await take(app.db, selection, limit)
  const { data, ...rest } = pageOf(app.keyring, key, taken, { total })
  const mode = modeOf(caller.teamId)
  return { data: data.map((email) => ({ ...email, mode })), ...rest, total }
}

type Asked = Omit<EmailListQuery, 'limit' | 'cursor'>

/** Reads the filter. Throws `invalid` for what is not the team's, or not for the caller's key. */
async function readFilter(
  db: Db,
  teamId: string,
  { status, domainId, broadcastId, tag, search, find, ...asked }: Asked,
  { onlyDomainId, hidesSystem }: { onlyDomainId: string | null; hidesSystem: boolean },
): Promise<EmailFilter> {
  if (domainId) await refuseUnknownDomain(db, teamId, domainId, onlyDomainId)
  if (broadcastId) await refuseUnknownBroadcast(db, teamId, broadcastId, onlyDomainId)
  if (tag !== undefined && !tag.includes(':')) {
    throw invalid('tag', `must be name:value, such as order:1024; it was "${tag}"`)
  }
  const asksForRareStatus = search !== undefined || find !== undefined || isNarrowed({ broadcastId, ...asked })
  return {
    teamId,
    status: status ?? null,
    domainId: onlyDomainId ?? domainId ?? null,
    hidesSystem,
    isRareStatus: status !== undefined && asksForRareStatus && (await hasFewOfStatus(db, teamId, status)),
  }
}

function isNarrowed({ recipient, broadcastId, from, until }: Asked): boolean {
  return [recipient, broadcastId, from, until].some((value) => value !== undefined)
}

/**
 * Selects by one of four forms, each a file: `narrowed.ts` (by recipient, broadcast, time), `tagged.ts`, `searched.ts`
 * (by text) and `all.ts`. `known` is the number of matches that the cursor carries.
 */
async function select(
  app: App,
  filter: EmailFilter,
  asked: Asked,
  page: PageBounds,
  known: number | undefined,
): Promise<Selection> {
  const { tag, recipient, broadcastId, from, until } = asked
  const text = readText(asked)
  if (isNarrowed(asked)) {
    const narrowed = {
      ...readTimeRange({ ...(from !== undefined && { from }), ...(until !== undefined && { until }) }),
      ...{ filter, broadcastId: broadcastId ?? null, tag: tag ?? null, text },
      recipients: recipient === undefined ? null : addressForms(recipient.trim()),
    }
    const rows = newestNarrowed(narrowed, page)
    return { rows, total: known ?? (await countNarrowed(app, narrowed)) }
  }
  if (tag !== undefined) {
    const tagged = { filter, tag, text }
    const rows = newestTagged(tagged, page)
    return { rows, total: known ?? (await countTagged(app, tagged)) }
  }
  if (text) return searched(app, filter, text, page, known)
  return { rows: newestOfAll(filter, page), total: known ?? countOfAll(filter) }
}

/**
 * Reads the text that is searched for. `find` may be a mailbox, such as `Ada <ada@example.com>`: then its address
 * counts.
 */
function readText({ search, find }: Asked): SearchText | null {
  if (search) return { pattern: likePattern(search), addresses: null }
  if (!find) return null
  const address = parseMailbox(find.trim())?.address.toLowerCase() ?? null
  return { pattern: likePattern(address ?? find), addresses: address === null ? null : addressForms(address) }
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
async function take(
  db: Db,
  { rows, total }: Selection,
  limit: number,
): Promise<Taken<ListedEmail> & { total: number }> {
  const options = { limit, bytes: bytesOf('from', 'to', 'subject') }
  if (typeof total !== 'number') return takeCounted(db, rows, total, options)
  return { ...(await takeContent(db, rows, options)), total }
}
