import type { Caller, Tx } from '../../context.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { findProfile, type Profile } from '../../teams/queries.ts'

/**
 * Puts the login of a browser session into another team. The cookie stays as it is. Null for a team that the user is
 * not a member of. Throws `unauthenticated` if the login has ended.
 */
export async function moveBrowserSession(
  tx: Tx,
  { id: userId, sessionId = '' }: Caller,
  teamId: string,
): Promise<Profile | null> {
  const profile = await findProfile(tx.db, teamId, userId)
  if (!profile) return null
  const moved = await tx.db
    .updateTable('refresh_tokens')
    .set({ team_id: teamId })
    .where('family_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) throw unauthenticated('This browser session has ended. Sign in again.')
  return profile
}
