import type { Plan, Tx } from '../context.ts'
import { setTeamPlan } from '../teams/set-plan.ts'
import { grantCredit } from './credit/set.ts'

/** An operator's word: the plan is in force at once, with its SMS credit, and its month begins now. False without such a team. */
export async function setPlan(tx: Tx, teamId: string, plan: Plan): Promise<boolean> {
  const team = await tx.db
    .selectFrom('teams')
    .select('plan')
    .where('id', '=', teamId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!team) return false
  if (team.plan === plan) return true
  await setTeamPlan(tx, teamId, plan)
  await grantCredit(tx, teamId, plan)
  return true
}
