import type { Plan, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { publish } from '../../platform/events.ts'
import { setTeamPlan } from '../../teams/set-plan.ts'
import { refillCredit, restoreCredit, zeroCredit } from '../credit/set.ts'
import type { Payer } from '../payments/provider.ts'
import { enqueueEndings } from './end-replaced.ts'
import { isInForce } from './fold.ts'
import { findLatestSubscription, type KnownSubscription, type PlanSubscription } from './queries.ts'

/** The subscription that an event is about; `cause` is the event's id. */
type Changed = KnownSubscription & { cause: string }

type Account = {
  customerId: string | null
  subscriptionId: string | null
  plan: Plan | null
  refilledFor: Date | null
  refilledPlan: Plan | null
  /** The subscription whose period was refilled. It may differ from the one in force, which may not be paid yet. */
  refilledSubscription: string | null
  /** The units that the team had left when its credit was taken away. Null while it has credit. */
  suspendedUnits: string | null
  teamPlan: Plan
}

/** Applies the latest subscription of a team: its plan, customer and credit. Applies each change exactly once. */
export async function settleTeam(tx: Tx, payer: Payer, changed: Changed): Promise<void> {
  const account = await lockAccount(tx, payer)
  const latest = await findLatestSubscription(tx.db, payer)
  if (latest) await settle(tx, payer, account, latest, changed.cause)
  // The status arrived before the checkout, which shows that the subscription is not paid yet.
  else if (changed.state.isUnpaid && account.subscriptionId === changed.id)
    await settleEnd(tx, payer, account, changed.cause)
  await enqueueEndings(tx, payer)
}

async function settle(tx: Tx, payer: Payer, account: Account, latest: PlanSubscription, cause: string) {
  const { id, state } = latest
  if (state.ended) {
    await settleEnd(tx, payer, account, cause)
  } else if (!isInForce(state)) {
    await suspend(tx, payer, account, latest, cause)
  } else {
    if (account.plan !== state.plan || account.subscriptionId !== id) {
      await setTeamPlan(tx, payer.teamId, state.plan)
      await updateAccount(tx, payer, { plan: state.plan, subscription_id: id })
      const { plan: from, subscriptionId } = account
      const action = subscriptionId === id ? 'subscription.plan_changed' : 'subscription.started'
      const changes = { plan: { from, to: state.plan } }
      await recordChange(tx, { teamId: payer.teamId, action, target: { type: 'subscription', id }, changes })
    }
    await settleCredit(tx, payer, account, latest, cause)
  }
  // Runs after the credit: transactions that settle messages also lock the credit before they touch the team's report
  // job, which this moves.
  if (state.customerId) await settleCustomer(tx, payer, account, state.customerId)
}

/**
 * Takes the plan and the credit away while the subscription is not paid or paused, once only. The team keeps the
 * subscription, and gets back what was left of the credit if it is paid or resumed in the same period.
 */
async function suspend(tx: Tx, payer: Payer, account: Account, { id }: PlanSubscription, cause: string): Promise<void> {
  const { plan: from, subscriptionId } = account
  if (subscriptionId === id && from === 'free') return
  await updateAccount(tx, payer, { plan: 'free', subscription_id: id })
  // Without a plan there is nothing to take away, and one that an operator set stays.
  if (from === null || from === 'free') return
  await takePlan(tx, payer, account, cause)
  const changes = { plan: { from, to: 'free' } }
  const target = { type: 'subscription', id }
  await recordChange(tx, { teamId: payer.teamId, action: 'subscription.plan_changed', target, changes })
}

/** Takes the plan and the credit away. What remained of the credit is kept for a return of its subscription. */
async function takePlan(tx: Tx, payer: Payer, { suspendedUnits }: Account, cause: string): Promise<void> {
  await setTeamPlan(tx, payer.teamId, 'free')
  const units = await zeroCredit(tx, payer.teamId, cause)
  if (suspendedUnits === null) await updateAccount(tx, payer, { suspended_units: String(units) })
}

/**
 * Locks the subscription and its team until the transaction ends, so that its events are settled one after the other
 * and its plan is not set meanwhile.
 */
async function lockAccount(tx: Tx, { teamId, provider }: Payer): Promise<Account> {
  await tx.db
    .insertInto('payment_accounts')
    .values({ team_id: teamId, provider })
    .onConflict((conflict) => conflict.columns(['team_id', 'provider']).doNothing())
    .execute()
  return tx.db
    .selectFrom('payment_accounts as account')
    .innerJoin('teams as team', 'team.id', 'account.team_id')
    .select(['account.customer_id as customerId', 'account.subscription_id as subscriptionId', 'account.plan'])
    .select(['account.refilled_for as refilledFor', 'account.refilled_plan as refilledPlan', 'team.plan as teamPlan'])
    .select(['account.refilled_subscription as refilledSubscription', 'account.suspended_units as suspendedUnits'])
    .where('account.team_id', '=', teamId)
    .where('account.provider', '=', provider)
    .forNoKeyUpdate(['account', 'team'])
    .executeTakeFirstOrThrow()
}

type AccountChange = {
  customer_id?: string
  subscription_id?: string | null
  plan?: Plan
  refilled_for?: Date
  refilled_plan?: Plan
  refilled_subscription?: string
  suspended_units?: string | null
}

async function updateAccount(tx: Tx, { teamId, provider }: Payer, change: AccountChange): Promise<void> {
  await tx.db
    .updateTable('payment_accounts')
    .set(change)
    .where('team_id', '=', teamId)
    .where('provider', '=', provider)
    .execute()
}

async function settleCustomer(tx: Tx, payer: Payer, account: Account, customerId: string): Promise<void> {
  if (account.customerId === customerId) return
  await updateAccount(tx, payer, { customer_id: customerId })
  await publish(tx, [{ type: 'billing.customer_known', teamId: payer.teamId, data: {} }])
}

/** Ends the plan once only, so that a plan that an operator sets afterwards stays. */
async function settleEnd(tx: Tx, payer: Payer, account: Account, cause: string): Promise<void> {
  if (account.plan === 'free' && account.subscriptionId === null) return
  if (account.plan !== 'free') await takePlan(tx, payer, account, cause)
  await updateAccount(tx, payer, { plan: 'free', subscription_id: null })
  const changes = { plan: { from: account.plan, to: 'free' } }
  const target = { type: 'subscription', id: account.subscriptionId ?? '' }
  if (account.subscriptionId)
    await recordChange(tx, { teamId: payer.teamId, action: 'subscription.ended', target, changes })
}

/**
 * Refills the credit for a period start that is new to the team's subscription. A late event may show that another plan
 * was in force when the period began; the credit is then corrected. A period that was refilled before gets back what
 * remained of its credit when that was taken away.
 */
async function settleCredit(tx: Tx, payer: Payer, account: Account, { id, state }: PlanSubscription, cause: string) {
  const { refill } = state
  if (!refill?.plan) return
  const periodStart = new Date(refill.start * 1000)
  const isOther = account.refilledSubscription !== id || account.refilledPlan !== refill.plan
  const isLater = account.refilledFor === null || periodStart > account.refilledFor
  if (!isLater && !isOther) {
    if (account.suspendedUnits === null) return
    await restoreCredit(tx, payer.teamId, Number(account.suspendedUnits), cause)
    return updateAccount(tx, payer, { suspended_units: null })
  }
  // A plan that an operator set replaces the subscription's plan, until an event changes that.
  const isSamePlan = account.subscriptionId === id && account.plan === state.plan
  const isOverridden = isSamePlan && account.teamPlan !== account.plan
  await refillCredit(tx, payer.teamId, isOverridden ? account.teamPlan : refill.plan, cause)
  const refilled = { refilled_for: periodStart, refilled_plan: refill.plan, refilled_subscription: id }
  await updateAccount(tx, payer, { ...refilled, suspended_units: null })
}
