import type { App, Tx } from '../context.ts'
import { lockAccount } from '../teams/account.ts'
import { createTeam } from '../teams/create.ts'
import { findTeamIdOfUser, insertMember } from '../teams/queries.ts'
import { usualTeamName } from './create-account.ts'
import { refuseClosedTeams } from './refuse-closed.ts'

/**
 * Finds the team that a user signs in to: the first one joined. A user whose last team is gone gets a new one on the
 * free plan. Null if the account is gone. Throws `forbidden`, named `signup_closed`, for a user without a team where
 * sign-up is closed.
 */
export async function ensureTeamOfUser(tx: Tx, app: Pick<App, 'config'>, userId: string): Promise<string | null> {
  const found = await findTeamIdOfUser(tx.db, userId)
  if (found) return found
  const account = await lockAccount(tx, userId)
  if (!account) return null
  // Another sign-in may have created it before the lock was free.
  const created = await findTeamIdOfUser(tx.db, userId)
  if (created) return created
  refuseClosedTeams(app)
  return createOwnTeam(tx, userId, usualTeamName(account.email, account.name))
}

/** Creates a team on the free plan, whose owner is the user. Returns its id. */
export async function createOwnTeam(tx: Tx, userId: string, name: string): Promise<string> {
  const { id: teamId } = await createTeam(tx, { name })
  await insertMember(tx, { teamId, userId, role: 'owner' })
  return teamId
}
