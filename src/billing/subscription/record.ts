import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { compareFacts, doesCount, foldFacts, type SubscriptionFact, type SubscriptionState } from './fold.ts'
import { settleTeam } from './settle.ts'

/** More than ten years of a subscription's events. Beyond that number the older half is folded into one state. */
export const factsMax = 500

/** The content of an event and its team; `teamId` is null if the event does not name the team. */
export type Said = { subscriptionId: string; teamId: string | null; fact: SubscriptionFact }

/** An event that is `known` or too old, or `ofNoTeam` of this installation, changes nothing. */
type Outcome = 'recorded' | 'known' | 'ofNoTeam'

/**
 * Records an event once and applies its consequences. An event waits if the team of its subscription is not known yet.
 */
export async function recordFact(tx: Tx, provider: string, said: Said): Promise<Outcome> {
  const { subscriptionId, teamId, fact } = said
  if (teamId && !(await hasTeam(tx, teamId))) return 'ofNoTeam'
  const before = await lockSubscription(tx, provider, said)
  if (before.baseUntil !== null && fact.at <= before.baseUntil && fact.kind !== 'deleted') return 'known'
  if (!(await insertFact(tx, subscriptionId, fact))) return 'known'
  const { state, owner } = await updateState(tx, subscriptionId, before)
  const isCancelled = state.cancelAtPeriodEnd
  if (owner && isCancelled !== (before.state.cancelAtPeriodEnd ?? false)) {
    const action = isCancelled ? 'subscription.cancelled' : 'subscription.resumed'
    await recordChange(tx, { teamId: owner, action, target: { type: 'subscription', id: subscriptionId } })
  }
  if (owner) await settleTeam(tx, { teamId: owner, provider }, { id: subscriptionId, state, cause: fact.eventId })
  return 'recorded'
}

async function hasTeam(tx: Tx, teamId: string): Promise<boolean> {
  const team = tx.db.selectFrom('teams').select('id').where('id', '=', teamId).where('deleted_at', 'is', null)
  return (await team.forKeyShare().executeTakeFirst()) !== undefined
}

type Locked = {
  owner: string | null
  /** As of the events before; empty for a new subscription. */
  state: Partial<SubscriptionState>
  base: SubscriptionState | null
  baseUntil: number | null
}

/** Locks the subscription's row, inserted if it is missing. The team that is named first stays. */
async function lockSubscription(tx: Tx, provider: string, { subscriptionId, teamId }: Said): Promise<Locked> {
  const { rows } = await sql<Omit<Locked, 'baseUntil'> & { baseUntil: Date | null }>`
    insert into payment_subscriptions as known (id, provider, team_id, started_at, counts, state, updated_at)
    values (${subscriptionId}, ${provider}, ${teamId}, ${tx.now}, false, '{}', ${tx.now})
    on conflict (id) do update set team_id = coalesce(known.team_id, excluded.team_id), updated_at = excluded.updated_at
    returning team_id as owner, state, base, base_until as "baseUntil"
  `.execute(tx.db)
  const { owner, state, base, baseUntil } = rows[0]!
  return { owner, state, base, baseUntil: baseUntil && baseUntil.getTime() / 1000 }
}

/** Inserts the event. False if it is known. */
async function insertFact(tx: Tx, subscriptionId: string, fact: SubscriptionFact): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('payment_events')
    .values({ id: fact.eventId, subscription_id: subscriptionId, said_at: timeOf(fact.at), fact: JSON.stringify(fact) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

async function updateState(tx: Tx, id: string, { owner, base, baseUntil }: Locked) {
  const rows = await tx.db.selectFrom('payment_events').select('fact').where('subscription_id', '=', id).execute()
  const facts = rows.map(({ fact }) => fact).sort(compareFacts)
  const old = facts.length > factsMax ? facts.splice(0, factsMax / 2) : []
  const kept = old.length > 0 ? foldFacts(base, old) : base
  const state = foldFacts(kept, facts)
  await deleteFacts(tx, old)
  const until = Math.max(baseUntil ?? 0, old.at(-1)?.at ?? 0)
  await tx.db
    .updateTable('payment_subscriptions')
    .set({ started_at: timeOf(state.startedAt), counts: doesCount(state), state: JSON.stringify(state) })
    .set({ base: kept && JSON.stringify(kept), base_until: kept && timeOf(until) })
    .where('id', '=', id)
    .execute()
  return { state, owner }
}

async function deleteFacts(tx: Tx, facts: SubscriptionFact[]): Promise<void> {
  if (facts.length === 0) return
  const ids = facts.map(({ eventId }) => eventId)
  await sql`delete from payment_events where id = any(${ids}::text[])`.execute(tx.db)
}

function timeOf(seconds: number): Date {
  return new Date(seconds * 1000)
}
