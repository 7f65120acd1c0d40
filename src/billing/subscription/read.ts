import type { App, Caller } from '../../context.ts'
import { findCredit } from '../credit/queries.ts'
import { plans } from '../plans.ts'
import { unitsPerCent } from '../rate-card.ts'
import { findLiveSubscription } from './queries.ts'

/** Returns the team's plan and SMS credit, and its subscription at the payment provider if it has one. */
export async function readSubscription(app: App, { teamId, plan }: Caller) {
  const [subscription, credit] = await Promise.all([
    findLiveSubscription(app.db, { teamId, provider: app.payments.name }),
    findCredit(app.db, teamId),
  ])
  const state = subscription?.state
  return {
    plan,
    status: state?.status ?? 'active',
    providerSubscriptionId: subscription?.id ?? null,
    currentPeriodStart: state?.period ? new Date(state.period.start * 1000) : credit.periodStart,
    currentPeriodEnd: state?.period ? new Date(state.period.end * 1000) : credit.periodEnd,
    cancelAtPeriodEnd: state?.cancelAtPeriodEnd ?? false,
    smsCreditCentsRemaining: credit.balanceUnits / unitsPerCent,
    monthlySmsCreditCents: plans[plan].monthlySmsCreditCents,
  }
}
