import type { LimitOverrides, Plan, Tx } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { publish } from '../platform/events.ts'

/** Sets the plan of a team, from its next request. False if the team does not exist. */
export async function setTeamPlan(tx: Tx, teamId: string, plan: Plan): Promise<boolean> {
  const team = tx.db.selectFrom('teams').select(['name', 'plan']).where('id', '=', teamId)
  const before = await team.forNoKeyUpdate().executeTakeFirst()
  if (!before) return false
  await tx.db.updateTable('teams').set({ plan }).where('id', '=', teamId).execute()
  await publish(tx, [{ type: 'team.limits_changed', teamId, data: {} }])
  const target = { type: 'team', id: teamId, name: before.name }
  await recordUpdate(tx, { teamId, action: 'team.plan_changed', target }, before, { plan })
  return true
}

/**
 * Merges changes into the team's overrides; null returns a limit to the plan's. Returns all overrides, or null if the
 * team does not exist.
 */
export async function setTeamLimits(
  tx: Tx,
  teamId: string,
  changes: { [limit in keyof LimitOverrides]: number | null },
): Promise<LimitOverrides | null> {
  const team = await tx.db
    .selectFrom('teams')
    .select(['name', 'limit_overrides'])
    .where('id', '=', teamId)
    // `for no key update` allows inserts of rows that refer to the team, and so avoids a deadlock.
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
  const target = { type: 'team', id: teamId, name: team.name }
  const limits = Object.fromEntries(Object.keys(changes).map((limit) => [limit, null]))
  const before: Record<string, unknown> = team.limit_overrides
  await recordUpdate(tx, { teamId, action: 'team.limits_changed', target }, before, { ...limits, ...overrides })
  return overrides
}
