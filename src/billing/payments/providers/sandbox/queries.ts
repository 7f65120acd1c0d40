import { sql } from 'kysely'
import type { App, Db } from '../../../../context.ts'
import type { MeteredUsage, PaidPlan } from '../../provider.ts'

export type SandboxSubscription = {
  teamId: string
  id: string
  customerId: string
  plan: PaidPlan
  status: 'active' | 'canceled'
  anchorAt: Date
  periodStart: Date
  periodEnd: Date
  cancelAtPeriodEnd: boolean
  createdAt: Date
}

/** Columns for `returning` and for reads. */
export const columns = [
  ...(['team_id as teamId', 'id', 'customer_id as customerId', 'plan', 'status', 'anchor_at as anchorAt'] as const),
  ...(['period_start as periodStart', 'period_end as periodEnd'] as const),
  ...(['cancel_at_period_end as cancelAtPeriodEnd', 'created_at as createdAt'] as const),
] as const

/** Returns the team's newest subscription. Null if it has ended. */
export async function findActive(db: Db, teamId: string): Promise<SandboxSubscription | null> {
  const row = await db
    .selectFrom('sandbox_subscriptions')
    .select(columns)
    .where('team_id', '=', teamId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.status === 'active' ? row : null
}

export async function isBought(db: Db, teamId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sandbox_subscriptions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** The condition that the team has bought no other plan since. The month of a replaced subscription is the last one. */
export const isNewestOfTeam = sql<boolean>`not exists (
  select from sandbox_subscriptions as later where later.team_id = sandbox_subscriptions.team_id
    and (later.created_at, later.id) > (sandbox_subscriptions.created_at, sandbox_subscriptions.id)
)`

/**
 * Returns subscriptions to renew whose month is over, the earliest end first. `after` is the last one of the previous
 * page.
 */
export function findDue(
  db: Db,
  now: Date,
  after: SandboxSubscription | null,
  limit: number,
): Promise<SandboxSubscription[]> {
  return db
    .selectFrom('sandbox_subscriptions')
    .select(columns)
    .where('status', '=', 'active')
    .where('period_end', '<=', now)
    .where(isNewestOfTeam)
    .where(sql<boolean>`(period_end, id) > (${after?.periodEnd ?? '-infinity'}::timestamptz, ${after?.id ?? ''}::text)`)
    .orderBy('period_end')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the overage that was reported since `since`, by event name. */
export async function countUsage(db: Db, teamId: string, since: Date): Promise<Map<MeteredUsage['eventName'], number>> {
  const { rows } = await sql<{ name: MeteredUsage['eventName']; count: number }>`
    select event_name as name, count(*)::int as count from sandbox_usage
    where team_id = ${teamId} and used_at >= ${since} group by event_name
  `.execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Records one message of overage. A repeat changes nothing. */
export async function insertUsage(app: App, { teamId, messageId, eventName, at }: MeteredUsage): Promise<void> {
  await app.transaction((tx) =>
    tx.db
      .insertInto('sandbox_usage')
      .values({ team_id: teamId, message_id: messageId, event_name: eventName, used_at: at })
      .onConflict((conflict) => conflict.columns(['team_id', 'message_id']).doNothing())
      .execute(),
  )
}
