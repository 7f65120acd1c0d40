import type { App, Caller } from '../context.ts'
import { type PageQuery, pageOfFixed } from '../platform/pagination.ts'
import { planNames, plans } from './plans.ts'

/** All plans, with the caller's marked. Limits are the plan's, without an operator's overrides. */
export function listPlans({ keyring }: App, caller: Caller, query: PageQuery) {
  const entries = planNames.map((plan) => {
    const { name, monthlyPrice, monthlySmsCreditCents, limits } = plans[plan]
    const { dailyEmailLimit, dailySmsLimit } = limits
    const current = caller.plan === plan
    return { name, plan, monthlyPrice, dailyEmailLimit, dailySmsLimit, monthlySmsCreditCents, current }
  })
  return pageOfFixed(keyring, { list: 'plans', teamId: caller.teamId }, query, entries, ({ plan }) => plan)
}
