import { sql } from 'kysely'
import type { App, Db, SentAtOnce, Tx } from '../../context.ts'
import type { DomainError } from '../../platform/errors.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import { opaqueArray, rowsOf } from '../../platform/sql/sql-rows.ts'
import { dayOf } from '../../platform/time/clock.ts'
import { deliverEmailJob } from '../jobs.ts'
import { freshUsage, type PartialAnswer, takeQuota, takeSome, type Usage, type Wanted } from './take.ts'

type QuotaAsk = Wanted & { teamId: string }
/** Usages by team. */
export type Usages = Map<string, Usage>
type QuotaGrant = { refusal: DomainError | null; retryAt: Date | null }

/**
 * Grants or refuses each ask in the order given. This is exact across processes, because the teams' rows stay locked
 * until the transaction ends.
 */
export async function takeQuotas(tx: Tx, asks: QuotaAsk[]): Promise<QuotaGrant[]> {
  const teamIds = asks.map(({ teamId }) => teamId)
  return takeFromUsages(tx, asks, await lockUsages(tx, teamIds))
}

/** Grants or refuses as `takeQuotas` does. `locked` is the result of `lockUsages` for the teams that ask. */
export async function takeFromUsages(tx: Tx, given: QuotaAsk[], locked: Usages): Promise<QuotaGrant[]> {
  if (given.length === 0) return []
  const asks = given.map(withBurst)
  const usages = await usagesOf(tx, asks, locked)
  const grants = asks.map(({ teamId, ...wanted }) => {
    const { usage, refusal, retryAt } = takeQuota(usages.get(teamId)!, wanted, tx.now)
    usages.set(teamId, usage)
    return { refusal, retryAt }
  })
  tx.withCommit(writeUsages(tx, usages))
  return grants
}

/** Finds the refusal that an ask would get now, and takes nothing. */
export async function findQuotaRefusal({ db, clock }: App, given: QuotaAsk): Promise<DomainError | null> {
  const { teamId, ...wanted } = withBurst(given)
  const now = clock.now()
  const usage = (await findUsage(db, teamId)) ?? freshUsage(wanted.limits, now)
  return takeQuota(usage, wanted, now).refusal
}

/** Grants as many emails of an ask as fit. For mail that can wait. */
export async function takePartOfQuota(tx: Tx, given: QuotaAsk): Promise<Omit<PartialAnswer, 'usage'>> {
  const ask = withBurst(given)
  const usages = await usagesOf(tx, [ask], await lockUsages(tx, [ask.teamId]))
  const { usage, ...answer } = takeSome(usages.get(ask.teamId)!, ask.count, ask.limits, tx.now)
  await writeUsages(tx, new Map([[ask.teamId, usage]]))
  return answer
}

/** Lets test emails exceed the burst, which is the batch size otherwise. The other limits are lifted already. */
function withBurst<Ask extends QuotaAsk>(ask: Ask): Ask {
  if (!isTestTeam(ask.teamId)) return ask
  return { ...ask, limits: { ...ask.limits, batchSize: ask.limits.emailsPerSecond } }
}

/**
 * Returns the quota of emails that were not sent. Each was counted when it was made. Counts of earlier days no longer
 * exist, so an email of yesterday leaves room for no further one today.
 */
export async function returnQuota(tx: Tx, teamId: string, emails: { createdAt: Date }[]): Promise<void> {
  const days = emails.map(({ createdAt }) => dayOf(createdAt))
  await sql`
    update email_usage set emails_today = greatest(0, emails_today - returned.count)
    from (select day, count(*)::int as count from unnest(${days}::date[]) as counted (day) group by day) as returned
    where team_id = ${teamId} and email_usage.day = returned.day
  `.execute(tx.db)
}

/**
 * Counts a cancelled or withdrawn email as no longer scheduled. Call it before the email's job is removed. Changes
 * nothing for an email that has been counted as sent, such as an email of a broadcast.
 */
export async function returnScheduled(tx: Tx, teamId: string, emailId: string): Promise<void> {
  await sql`
    update email_usage set scheduled_emails = greatest(0, scheduled_emails - 1)
    where team_id = ${teamId} and exists (
      select from jobs where kind = ${deliverEmailJob.kind} and key = ${emailId} and not payload ? 'counted'
    )
  `.execute(tx.db)
}

/**
 * Returns the usages of the teams that ask, and of no others, since `takeFromUsages` writes all of them. Begins and
 * locks those that do not exist yet.
 */
async function usagesOf(tx: Tx, asks: QuotaAsk[], locked: Usages): Promise<Usages> {
  const limits = new Map(asks.map((ask) => [ask.teamId, ask.limits]))
  const teamIds = [...limits.keys()].sort()
  const missing = teamIds.filter((teamId) => !locked.has(teamId))
  if (missing.length === 0) return new Map(teamIds.map((teamId) => [teamId, locked.get(teamId)!]))
  for (const teamId of missing) {
    const fresh = freshUsage(limits.get(teamId)!, tx.now)
    const row = {
      team_id: teamId,
      day: fresh.day,
      emails_today: 0,
      bucket_tokens: fresh.bucketTokens,
      bucket_at: tx.now,
    }
    await tx.db
      .insertInto('email_usage')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return lockUsages(tx, teamIds)
}

/**
 * Locks the rows of teams, in the order of their ids, so that two gathered transactions cannot deadlock here. Teams
 * that have sent nothing yet have none.
 */
export async function lockUsages(tx: Tx, given: string[]): SentAtOnce<Usages> {
  if (given.length === 0) return new Map()
  const teamIds = [...new Set(given)].sort()
  const rows = await tx.send(sql<Usage & { teamId: string }>`
    select team_id as "teamId", day, emails_today as "emailsToday", bucket_tokens as "bucketTokens", bucket_at as "bucketAt",
      scheduled_emails as "scheduledEmails", stored_bytes::float as "storedBytes"
    from email_usage where team_id = any(${opaqueArray(teamIds, 'uuid')}) order by team_id for update
  `)
  return new Map(rows.map(({ teamId, ...usage }) => [teamId, usage]))
}

/** Finds the usage of a team without locking it. Undefined for a team that has sent nothing yet. */
export async function findUsage(db: Db, teamId: string): Promise<Usage | undefined> {
  const { rows } = await sql<Usage>`
    select day, emails_today as "emailsToday", bucket_tokens as "bucketTokens", bucket_at as "bucketAt",
      scheduled_emails as "scheduledEmails", stored_bytes::float as "storedBytes"
    from email_usage where team_id = ${teamId}
  `.execute(db)
  return rows[0]
}

const columns = {
  teamId: 'uuid',
  day: 'date',
  emailsToday: 'int',
  bucketTokens: 'float8',
  bucketAt: 'timestamptz',
  scheduledEmails: 'int',
  storedBytes: 'bigint',
} as const

async function writeUsages(tx: Tx, usages: Usages): SentAtOnce {
  const rows = [...usages].map(([teamId, usage]) => ({ ...usage, teamId }))
  await tx.send(sql`
    update email_usage set day = new.day, emails_today = new.emails_today, bucket_tokens = new.bucket_tokens, bucket_at = new.bucket_at,
      scheduled_emails = new.scheduled_emails, stored_bytes = new.stored_bytes
    from ${rowsOf(rows, columns).as('new')}
    where email_usage.team_id = new.team_id
  `)
}
