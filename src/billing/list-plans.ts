import type { Caller } from '../context.ts'
import { planNames, plans } from './plans.ts'

/** The plans there are, the caller's marked; limits as the plan has them, without an operator's overrides. */
export function listPlans(caller: Caller) {
  const data = planNames.map((plan) => {
    const { name, monthlyPrice, monthlySmsCreditCents, limits } = plans[plan]
    const { dailyEmailLimit, dailySmsLimit } = limits
    const current = caller.plan === plan
    return { name, plan, monthlyPrice, dailyEmailLimit, dailySmsLimit, monthlySmsCreditCents, current }
  })
  return { data }
}
