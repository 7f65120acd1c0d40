import type { App, Tx } from '../../../../context.ts'
import { monthAt } from '../../../credit/month.ts'
import type { PaidPlan } from '../../provider.ts'
import { deliverNow, enqueueHeldEvents } from './deliver.ts'
import {
  checkoutCompleted,
  compact,
  invoicePaid,
  type SandboxEvent,
  subscriptionDeleted,
  subscriptionUpdated,
} from './events.ts'
import type { CheckoutLink } from './links.ts'
import { columns, isNewestOfTeam, type SandboxSubscription } from './queries.ts'

/** The events of a change to a subscription; null if another request changed it first. */
type Change = (tx: Tx) => Promise<{ teamId: string; events: SandboxEvent[] } | null>

/** Pays a checkout. It is paid once, even if its button is pressed several times. */
export function buy(app: App, checkout: CheckoutLink): Promise<void> {
  return change(app, async (tx) => {
    const subscription = await insertSubscription(tx, checkout)
    return (
      subscription &&
      tell(subscription, [invoicePaid(tx, subscription, 'subscription_create'), checkoutCompleted(tx, subscription)])
    )
  })
}

export function setCancelAtPeriodEnd(app: App, { id }: SandboxSubscription, cancel: boolean): Promise<void> {
  return change(app, async (tx) => {
    const changed = await active(tx, id)
      .set({ cancel_at_period_end: cancel })
      .where('cancel_at_period_end', '=', !cancel)
      .executeTakeFirst()
    return changed ? tell(changed, [subscriptionUpdated(tx, changed)]) : null
  })
}

export function changePlan(app: App, { id }: SandboxSubscription, plan: PaidPlan): Promise<void> {
  return change(app, async (tx) => {
    const changed = await active(tx, id).set({ plan }).where('plan', '<>', plan).executeTakeFirst()
    return changed ? tell(changed, [subscriptionUpdated(tx, changed)]) : null
  })
}

export function endSubscription(app: App, id: string): Promise<void> {
  return change(app, (tx) => end(tx, active(tx, id)))
}

/** Begins the next month at once. A second press of the button names the month before, so it changes nothing. */
export function startNextPeriod(app: App, subscription: SandboxSubscription): Promise<void> {
  return change(app, (tx) => turnPeriod(tx, subscription, wholeSecond(tx.now)))
}

/**
 * Begins the month that contains the time of the transaction, or ends a subscription that was cancelled. Changes
 * nothing if the subscription has changed since `before` was read, or was replaced.
 */
export async function turnPeriod(tx: Tx, before: SandboxSubscription, anchorAt: Date) {
  const seen = active(tx, before.id)
    .where('period_end', '=', before.periodEnd)
    .where('cancel_at_period_end', '=', before.cancelAtPeriodEnd)
    .where(isNewestOfTeam)
  if (before.cancelAtPeriodEnd) return end(tx, seen)
  const { start, end: periodEnd } = monthAt(anchorAt, tx.now)
  const turned = await seen.set({ anchor_at: anchorAt, period_start: start, period_end: periodEnd }).executeTakeFirst()
  return turned ? tell(turned, [subscriptionUpdated(tx, turned), invoicePaid(tx, turned, 'subscription_cycle')]) : null
}

async function end(tx: Tx, which: ReturnType<typeof active>) {
  const ended = await which.set({ status: 'canceled' }).executeTakeFirst()
  return ended ? tell(ended, [subscriptionDeleted(tx, ended)]) : null
}

async function change(app: App, work: Change): Promise<void> {
  const jobs = await app.transaction(async (tx) => {
    const told = await work(tx)
    return told ? enqueueHeldEvents(tx, told.teamId, told.events) : []
  })
  await deliverNow(app, jobs)
}

function tell({ teamId }: SandboxSubscription, events: SandboxEvent[]) {
  return { teamId, events }
}

function active(tx: Tx, id: string) {
  return tx.db
    .updateTable('sandbox_subscriptions')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returning(columns)
}

/** Inserts the subscription. Null if this checkout was paid before. */
async function insertSubscription(tx: Tx, { id, teamId, plan }: CheckoutLink): Promise<SandboxSubscription | null> {
  const start = wholeSecond(tx.now)
  const inserted = await tx.db
    .insertInto('sandbox_subscriptions')
    .values({
      team_id: teamId,
      id: subscriptionIdOf(id),
      customer_id: `cus_${compact(teamId)}`,
      plan,
      anchor_at: start,
      period_start: start,
      period_end: monthAt(start, start).end,
      created_at: start,
    })
    // Names no constraint: two concurrent presses may conflict on either of the two unique keys.
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
  return inserted ?? null
}

export function subscriptionIdOf(checkoutId: string): string {
  return `sub_${compact(checkoutId)}`
}

/** Rounds down to the second, because events have times in whole seconds. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}
