import type { Tx } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { boundsOf } from './plan-bounds.ts'

/**
 * Finds the bounds of a team and locks its row until the transaction ends, so that concurrent requests cannot exceed
 * them. The lock is `no key update`, which still allows inserts of rows that refer to the team.
 */
export async function lockBounds(tx: Tx, teamId: string) {
  const team = await tx.db
    .selectFrom('teams')
    .select(['plan', 'limit_overrides as limitOverrides'])
    .where('id', '=', teamId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('team'))
  return boundsOf(team)
}
