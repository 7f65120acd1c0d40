import type { App, Caller } from '../context.ts'
import { type PageQuery, pageOfFixed } from '../platform/pagination.ts'
import { planNames, plans } from './plans.ts'

/** The plans there are, the caller's marked; limits as the plan has them, without an operator's overrides. */
export function listPlans({ keyring }: App, caller: Caller, query: PageQuery) {
  const entries = planNames.map((plan) => {
    const { name, monthlyPrice, monthlySmsCreditCents, limits } = plans[plan]
    const { dailyEmailLimit, dailySmsLimit } = limits
    const current = caller.plan === plan
    return { name, plan, monthlyPrice, dailyEmailLimit, dailySmsLimit, monthlySmsCreditCents, current }
  })
  return pageOfFixed(keyring, { list: 'plans', teamId: caller.teamId }, query, entries, ({ plan }) => plan)
}
