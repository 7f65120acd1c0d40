import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import { firstIdAt, nilId } from '../../platform/ids.ts'
import { countSubjectMatches, type Range, type RangeCount } from './count.ts'
import type { EmailFilter } from './filter.ts'

const hourMs = 3_600_000
/** Emails of this age are no longer added or withdrawn by requests, because none takes as long. */
export const settledAfterMs = 2 * hourMs
/** The status of emails of this age seldom changes, because mail is delivered or given up within a day. */
export const statusSettledAfterMs = 24 * hourMs
/** Up to this number, counting matches takes hardly longer than reading a stored count. */
const keptFrom = 300
const keptPerTeamMax = 200

type Kept = { throughId: string; count: number }
/**
 * A stored count is valid while these stay the same; a count of all statuses while `epochOfAll` does.
 * `outdate-counts.ts` raises them.
 */
type Validity = { epochOfStatuses: string; epochOfAll: string }

/**
 * Returns the exact number of emails whose subject holds the text, except those from `senders`, who match
 * too. Adds newer emails to the count of an earlier search. That count stays right for new senders, because they have
 * no emails that old.
 */
export function countSearched(app: App, filter: EmailFilter, pattern: string, senders: string[]): Promise<number> {
  return countFromKept(app, filter, pattern, (range) => countSubjectMatches(app.db, filter, pattern, senders, range))
}

/** Returns the name under which a count is stored. What was asked is hashed, since it may name a person. */
export function countKey(kind: string, asked: object): string {
  return `${kind} ${createHash('sha256').update(JSON.stringify(asked)).digest('base64url')}`
}

/** Counts with `countIn`, which counts a range. Adds newer emails to the count that is stored under `keptUnder`. */
export async function countFromKept(
  app: App,
  filter: EmailFilter,
  keptUnder: string,
  countIn: (range: Range) => Promise<RangeCount>,
): Promise<number> {
  const { kept, ...valid } = await findKept(app.db, filter, keptUnder)
  const ageMs = filter.status === null ? settledAfterMs : statusSettledAfterMs
  const throughId = firstIdAt(new Date(app.clock.now().getTime() - ageMs))
  const range = { afterId: kept?.throughId ?? null, throughId }
  const { settled, newer } = await countIn(range)
  const count = (kept?.count ?? 0) + settled
  if (settled > keptFrom) await app.transaction((tx) => keep(tx, filter, keptUnder, { throughId, count }, valid))
  return count + newer
}

/**
 * Finds the stored count and what it depends on. It is read before counting, so that a change meanwhile invalidates the
 * count.
 */
async function findKept(db: Db, { teamId, domainId, status }: EmailFilter, keptUnder: string) {
  const { rows } = await sql<
    Validity & { keptEpoch: string | null; isComplete: boolean; throughId: string; count: string }
  >`
    select coalesce(now.epoch, 0) as "epochOfStatuses", coalesce(now.removals, 0) as "epochOfAll",
      kept.epoch as "keptEpoch", kept.removals = coalesce(now.removals, 0) as "isComplete", through_id as "throughId", count
    from (values (${teamId}::uuid)) as team (id)
    left join email_search_epochs as now on now.team_id = team.id
    left join email_search_counts as kept on kept.team_id = team.id and pattern = ${keptUnder}
      and domain_id = ${domainId ?? nilId} and status = ${status ?? ''}
  `.execute(db)
  const { epochOfStatuses, epochOfAll, keptEpoch, isComplete, throughId, count } = rows[0]!
  const believed = keptEpoch !== null && isComplete && (status === null || keptEpoch === epochOfStatuses)
  return { epochOfStatuses, epochOfAll, kept: believed ? { throughId, count: Number(count) } : null }
}

/** Stores a count under its name, in the column `pattern`. Removes the team's oldest counts if it has too many. */
async function keep(tx: Tx, filter: EmailFilter, keptUnder: string, { throughId, count }: Kept, valid: Validity) {
  await sql`
    insert into email_search_counts (team_id, pattern, domain_id, status, through_id, epoch, removals, count,
      counted_at)
    values (${filter.teamId}, ${keptUnder}, ${filter.domainId ?? nilId}, ${filter.status ?? ''}, ${throughId},
      ${valid.epochOfStatuses}, ${valid.epochOfAll}, ${count}, ${tx.now})
    on conflict (team_id, pattern, domain_id, status) do update set
      through_id = excluded.through_id, epoch = excluded.epoch, removals = excluded.removals, count = excluded.count, counted_at = excluded.counted_at
  `.execute(tx.db)
  await sql`
    delete from email_search_counts where team_id = ${filter.teamId} and (pattern, domain_id, status) in (
      select pattern, domain_id, status from email_search_counts where team_id = ${filter.teamId}
      order by counted_at desc, pattern offset ${keptPerTeamMax}
    )
  `.execute(tx.db)
}
