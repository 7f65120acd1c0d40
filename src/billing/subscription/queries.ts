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

/**
 * Tells whether a subscription still runs at the provider, according to its events, although the team has a later one
 * there.
 */
export async function isReplaced(db: Db, provider: string, subscriptionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from payment_subscriptions as old
    where id = ${subscriptionId} and provider = ${provider} and counts and not (state ->> 'ended')::boolean and exists (
      select from payment_subscriptions as later
      where later.team_id = old.team_id and later.provider = old.provider and later.counts
        and (later.started_at, later.id) > (old.started_at, old.id)
    )
  `.execute(db)
  return rows.length === 1
}
