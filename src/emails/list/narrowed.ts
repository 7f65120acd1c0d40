import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { pageLimit } from '../../platform/pagination.ts'
import { tagKey } from '../messages/scopes.ts'
import { emailsOf, newestOfStatus } from './by-status.ts'
import { countRange } from './count.ts'
import type { EmailFilter } from './filter.ts'
import { countFromKept, countKey } from './search-count.ts'
import { columns, hasText, isTo, type ListedEmail, matches, type PageBounds, type SearchText } from './selection.ts'

/** A filter by recipient, broadcast or time, beside those that every list of emails has. */
type Narrowed = {
  filter: EmailFilter
  /** The `addressForms` of a recipient; recipients of copies count too. */
  recipients: string[] | null
  broadcastId: string | null
  from: Date | null
  until: Date | null
  tag: string | null
  text: SearchText | null
}

/** Selects a page of a narrowed list. */
export function newestNarrowed(narrowed: Narrowed, { before, count }: PageBounds): RawBuilder<ListedEmail> {
  const { filter } = narrowed
  const older = before ? sql`and email.id < ${before}` : sql``
  // By its index a recipient's emails are collected first, which the planner does not choose where it expects many.
  if (narrowed.recipients !== null) {
    return sql<ListedEmail>`
      with found as materialized (select email.* from ${matching(narrowed)} ${older})
      select ${columns} from found as email order by email.id desc limit ${pageLimit(count)}
    `
  }
  if (filter.status && !narrowed.broadcastId) {
    const { from, before: end } = idsOf(narrowed)
    const range = { from, before: earlierOf(before, end) }
    return newestOfStatus<ListedEmail>(columns, filter, narrowedConditions(narrowed), range, count)
  }
  return sql<ListedEmail>`
    select ${columns} from ${matching(narrowed)} ${older} order by ${idOf(narrowed)} desc limit ${pageLimit(count)}
  `
}

/** Ids compare as their texts do. */
function earlierOf(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}

/** Returns the exact number of emails of a narrowed list. Adds newer emails to the count of an earlier request. */
export function countNarrowed(app: App, narrowed: Narrowed): Promise<number> {
  const { filter, ...rest } = narrowed
  const keptUnder = countKey('narrowed', { ...rest, hidesSystem: filter.hidesSystem })
  return countFromKept(app, filter, keptUnder, (range) => countRange(app.db, matching(narrowed), range))
}

/**
 * Ids follow the times of emails. An email of a workflow has the id of its node, which may have waited for an attempt.
 */
const idsBeforeMs = 24 * 3_600_000
const idsAfterMs = 3_600_000

function idsOf({ from, until }: Narrowed) {
  return {
    from: from && firstIdAt(new Date(from.getTime() - idsBeforeMs)),
    before: until && firstIdAt(new Date(until.getTime() + idsAfterMs)),
  }
}

function matching(narrowed: Narrowed) {
  const { filter, recipients, broadcastId } = narrowed
  const ofBroadcast = sql`join broadcast_recipients as recipient
    on recipient.team_id = email.team_id and recipient.email_id = email.id`
  // A recipient and a broadcast have an index of their own, and few emails.
  const emails = broadcastId || recipients !== null ? sql`emails` : emailsOf(filter)
  return sql`${emails} as email ${broadcastId ? ofBroadcast : sql``} where ${narrowedConditions(narrowed)}`
}

function narrowedConditions(narrowed: Narrowed) {
  const { filter, recipients, broadcastId, from, until, tag, text } = narrowed
  const ids = idsOf(narrowed)
  const conditions: RawBuilder<unknown>[] = [matches(filter, null)]
  if (recipients !== null) conditions.push(isTo(recipients))
  if (broadcastId) conditions.push(sql`recipient.broadcast_id = ${broadcastId}`)
  if (from) {
    conditions.push(sql`email.id >= ${ids.from} and email.created_at >= ${from}`)
  }
  if (until) {
    conditions.push(sql`email.id < ${ids.before} and email.created_at < ${until}`)
  }
  if (tag !== null) {
    conditions.push(sql`exists (
      select from email_tags where team_id = email.team_id and email_id = email.id and tag = ${tagKey(tag)}
    )`)
  }
  if (text) conditions.push(hasText(text))
  return sql.join(conditions, sql` and `)
}

/** The id by whose index the list is walked. */
function idOf({ broadcastId }: Narrowed): RawBuilder<unknown> {
  return broadcastId ? sql`recipient.email_id` : sql`email.id`
}
