import type { Tx } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { boundsOf } from './plan-bounds.ts'

/**
 * The bounds of a team as they are now. Its row stays locked until this unit of work ends, so that of concurrent requests
 * exactly as many pass as there is room for. `no key update`: rows that refer to the team are added meanwhile.
 */
export async function lockBounds(tx: Tx, teamId: string) {
  const team = await tx.db
    .selectFrom('teams')
    .select(['plan', 'limit_overrides as limitOverrides'])
    .where('id', '=', teamId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!team) throw notFound('team')
  return boundsOf(team)
}
