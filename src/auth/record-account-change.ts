import type { Tx } from '../context.ts'
import { currentActor } from '../platform/audit/actor.ts'
import { recordChange } from '../platform/audit/record.ts'
import type { Changes } from '../platform/audit/table.ts'
import { lockAccount } from '../teams/account.ts'
import { findTeamIdOfUser } from '../teams/queries.ts'

export type AccountChange = {
  userId: string
  /** The team of the session. Without a session it is the team that the user joined first. */
  teamId?: string
  action: `user.${string}` | `two_factor.${string}`
  changes?: Changes
}

/** Records a change that the user made to the own account. A user without a team has no audit log. */
export async function recordAccountChange(
  tx: Tx,
  { userId, teamId: sessionTeam, action, changes = {} }: AccountChange,
): Promise<void> {
  const teamId = sessionTeam ?? (await findTeamIdOfUser(tx.db, userId))
  const account = await lockAccount(tx, userId)
  if (!teamId || !account) return
  const { type, address, requestId } = currentActor()
  // Public routes have no caller: the token of the link says who acts. An operator's command keeps its actor.
  const actor = type === 'operator' ? undefined : { type: 'user' as const, id: userId, name: null, address, requestId }
  const target = { type: 'user', id: userId, name: account.email }
  await recordChange(tx, { teamId, action, target, changes, ...(actor && { actor }) })
}
