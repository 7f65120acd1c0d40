import type { Plan, Tx } from '../context.ts'
import { setTeamPlan } from '../teams/set-plan.ts'
import { grantCredit } from './credit/set.ts'

/**
 * Puts a team on a plan, for an operator. The plan and its SMS credit take effect at once, and its month begins now.
 * False if the team does not exist.
 */
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
