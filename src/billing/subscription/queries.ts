import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { PaidPlan, Payer } from '../payments/provider.ts'
import type { SubscriptionState } from './fold.ts'

/** The team's customer id at the payment provider; null before its first purchase. */
export async function findCustomerId(db: Db, { teamId, provider }: Payer): Promise<string | null> {
  const row = await db
    .selectFrom('payment_accounts')
    .select('customer_id')
    .where('team_id', '=', teamId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row?.customer_id ?? null
}

export type KnownSubscription = { id: string; state: SubscriptionState }
export type PlanSubscription = { id: string; state: SubscriptionState & { plan: PaidPlan } }

/** The subscription in force, or null. */
export async function findLiveSubscription(db: Db, { teamId, provider }: Payer): Promise<KnownSubscription | null> {
  const row = await db
    .selectFrom('payment_accounts as account')
    .innerJoin('payment_subscriptions as subscription', 'subscription.id', 'account.subscription_id')
    .select(['subscription.id', 'subscription.state'])
    .where('account.team_id', '=', teamId)
    .where('account.provider', '=', provider)
    .executeTakeFirst()
  return row ?? null
}

/** Tells whether the team's plan was bought from a provider that is no longer configured. */
export async function isOnPlanOfAnother(db: Db, { teamId, provider }: Payer): Promise<boolean> {
  const lives = await db
    .selectFrom('payment_accounts')
    .select('provider')
    .where('team_id', '=', teamId)
    .where('subscription_id', 'is not', null)
    .execute()
  return lives.length > 0 && lives.every((account) => account.provider !== provider)
}

/** Returns the latest subscription that counts, ended or not. Earlier ones have no effect any more. */
export async function findLatestSubscription(db: Db, { teamId, provider }: Payer): Promise<PlanSubscription | null> {
  const row = await db
    .selectFrom('payment_subscriptions')
    .select(['id', 'state'])
    .where('team_id', '=', teamId)
    .where('provider', '=', provider)
    .where('counts', '=', true)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row as PlanSubscription | undefined) ?? null
}

/** Returns the ids of the team's subscriptions that still run, according to their events, beside a later one. */
export async function listReplaced(db: Db, { teamId, provider }: Payer): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select old.id from payment_subscriptions as old
    where team_id = ${teamId} and provider = ${provider} and counts and not (state ->> 'ended')::boolean
      and exists (select ${laterThanOld})
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Finds the latest subscription of the team that has replaced the given one. Null if there is none, or if the given one
 * has ended.
 */
export async function findReplacing(
  db: Db,
  provider: string,
  subscriptionId: string,
): Promise<KnownSubscription | null> {
  const { rows } = await sql<KnownSubscription>`
    select latest.id, latest.state from payment_subscriptions as old
    cross join lateral (
      select later.id, later.state ${laterThanOld} order by later.started_at desc, later.id desc limit 1
    ) as latest
    where old.id = ${subscriptionId} and old.provider = ${provider} and old.counts and not (old.state ->> 'ended')::boolean
  `.execute(db)
  return rows[0] ?? null
}

/** The subscriptions of its team that began after `old`. */
const laterThanOld = sql`
  from payment_subscriptions as later
  where later.team_id = old.team_id and later.provider = old.provider and later.counts
    and (later.started_at, later.id) > (old.started_at, old.id)
`
