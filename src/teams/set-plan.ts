import type { LimitOverrides, Plan, Tx } from '../context.ts'
import { publish } from '../platform/events.ts'

/** False where there is no such team. In force with the next request: limits are read with the caller. */
export async function setTeamPlan(tx: Tx, teamId: string, plan: Plan): Promise<boolean> {
  const changed = await tx.db.updateTable('teams').set({ plan }).where('id', '=', teamId).executeTakeFirst()
  await publish(tx, [{ type: 'team.limits_changed', teamId, data: {} }])
  return changed.numUpdatedRows === 1n
}

/** Merges the changes into the team's overrides; null takes one back to the plan's. Gives all overrides, or null without such a team. */
export async function setTeamLimits(
  tx: Tx,
  teamId: string,
  changes: { [limit in keyof LimitOverrides]: number | null },
): Promise<LimitOverrides | null> {
  const team = await tx.db
    .selectFrom('teams')
    .select('limit_overrides')
    .where('id', '=', teamId)
    // Not `for update`: rows that name the team are added meanwhile, by who may hold what we want next.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!team) return null
  const merged = Object.entries({ ...team.limit_overrides, ...changes }).filter(([, value]) => value !== null)
  const overrides: LimitOverrides = Object.fromEntries(merged)
  await tx.db
    .updateTable('teams')
    .set({ limit_overrides: JSON.stringify(overrides) })
    .where('id', '=', teamId)
    .execute()
  await publish(tx, [{ type: 'team.limits_changed', teamId, data: {} }])
  return overrides
}
