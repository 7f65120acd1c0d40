import type { Tx } from '../context.ts'
import type { SecurityChange } from '../events.ts'
import { currentActor } from '../platform/audit/actor.ts'
import { recordChange } from '../platform/audit/record.ts'
import type { Changes } from '../platform/audit/table.ts'
import { publish } from '../platform/events.ts'
import { lockAccount } from '../teams/account.ts'
import { findTeamIdOfUser } from '../teams/queries.ts'

type AccountChange = {
  userId: string
  /** The team of the session. Without a session it is the team that the user joined first. */
  teamId?: string
  action: `user.${string}` | `two_factor.${string}`
  changes?: Changes
}

/** Changes of which the person is told by mail. */
const told: Record<string, SecurityChange> = {
  'user.password_changed': 'password',
  'user.password_reset': 'password',
  'two_factor.enabled': 'two_factor_on',
  'two_factor.disabled': 'two_factor_off',
}

/**
 * Records a change that the user made to the own account, and publishes it if it is about signing in. A user without a
 * team has no audit log.
 */
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
  const change = told[action]
  if (change) await publish(tx, [{ type: 'account.security_changed', teamId, data: { userId, change, address } }])
}
