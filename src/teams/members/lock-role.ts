import type { Caller, Role, Tx } from '../../context.ts'
import { roleForbidden } from '../roles/refuse-role.ts'

/**
 * Locks the team's row and returns the caller's present role, so that changes of a team's people happen one after the
 * other. Throws `forbidden` if the caller left the team, or lost one of the roles `may`, after the request was
 * identified.
 */
export async function lockRole(
  tx: Tx,
  { teamId, id }: Pick<Caller, 'teamId' | 'id'>,
  may: readonly Role[],
): Promise<Role> {
  await lockPeople(tx, teamId)
  const member = await tx.db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', id)
    .executeTakeFirst()
  if (!member || !may.includes(member.role)) throw roleForbidden(may, member?.role)
  return member.role
}

/**
 * Locks the people of a team: every change of members and invitations takes this lock first. False without such a team.
 */
export async function lockPeople(tx: Tx, teamId: string): Promise<boolean> {
  const team = await tx.db
    .selectFrom('teams')
    .select('id')
    .where('id', '=', teamId)
    .where('deleted_at', 'is', null)
    // `for no key update` allows inserts of rows that refer to the team.
    .forNoKeyUpdate()
    .executeTakeFirst()
  return team !== undefined
}
