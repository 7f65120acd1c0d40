import { sql } from 'kysely'
import type { App, Caller, Db, Role, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, DomainError, orNotFound } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { deleteAccountRow, lockAccountAlone } from '../../teams/account.ts'
import { endTeam } from '../../teams/delete/delete.ts'
import { lockPeople } from '../../teams/members/lock-role.ts'
import { deleteMember } from '../../teams/members/queries.ts'
import { recordAccountChange } from '../record-account-change.ts'
import type { OwnedTeam } from './owned-team.ts'

/**
 * Deletes the account of the caller, and leaves its teams. Sessions, links, second factor and linked providers end; the
 * audit logs of its teams keep the name. Throws `conflict`, with `teams`, while a team has no other owner. With
 * `deleteTeams` those of them that have no other member either are deleted too.
 */
export function deleteAccount(
  app: App,
  caller: Caller,
  { deleteTeams = false }: { deleteTeams?: boolean },
): Promise<{ id: string; deleted: true }> {
  const { id } = caller
  return app.transaction(async (tx) => {
    const { account, memberships } = await lockMemberships(tx, id)
    const owned = memberships.filter(({ role, otherOwners }) => role === 'owner' && otherOwners === 0)
    const kept = owned.filter(({ otherMembers }) => !deleteTeams || otherMembers > 0)
    if (kept.length > 0) throw ownsTeams(kept)
    for (const team of owned) await endTeam(tx, app, team, id)
    for (const team of memberships) if (!owned.includes(team)) await leave(tx, team, { id, email: account.email })
    const { teamId } = caller
    await recordAccountChange(tx, { userId: id, teamId, action: 'user.deleted' })
    const { email, emailVerifiedAt } = account
    if (emailVerifiedAt) await publish(tx, [{ type: 'account.deleted', teamId, data: { email } }])
    await deleteAccountRow(tx, id)
    tx.afterCommit(() => app.log.info({ user: id }, 'an account was deleted by its person'))
    return { id, deleted: true }
  })
}

/**
 * Locks the people of the teams, as every change of them does first, and then the account, which no team can join from
 * then on.
 */
async function lockMemberships(tx: Tx, userId: string) {
  const before = await listMemberships(tx.db, userId)
  for (const { id } of before) await lockPeople(tx, id)
  const account = await orNotFound('account', lockAccountAlone(tx, userId))
  const memberships = await listMemberships(tx.db, userId)
  const known = new Set(before.map(({ id }) => id))
  if (memberships.some(({ id }) => !known.has(id)))
    throw conflict('The account joined a team just now. Repeat the request.')
  return { account, memberships }
}

async function leave(
  tx: Tx,
  { id: teamId, role }: { id: string; role: Role },
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  await deleteMember(tx, teamId, userId)
  await publish(tx, [{ type: 'team.member_changed', teamId, data: { userId, role: null } }])
  const target = { type: 'member', id: userId, name: email }
  await recordChange(tx, { teamId, action: 'member.left', target, changes: { role: { from: role, to: null } } })
}

function ownsTeams(teams: Membership[]): DomainError {
  const names = new Intl.ListFormat('en').format(teams.map(({ name }) => JSON.stringify(name)))
  const message = `The account is the only owner of ${names}. Make another member an owner there, or delete the team, first. A team without other members is deleted with the account if deleteTeams is true.`
  return new DomainError('conflict', message, {
    name: 'conflict',
    extra: { teams: teams.map(({ id, name, otherMembers }): OwnedTeam => ({ id, name, otherMembers })) },
  })
}

type Membership = OwnedTeam & { role: Role; otherOwners: number }

/** Lists the teams of a person by their ids, with the numbers of their other people. */
async function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  const others = sql`select count(*)::int from team_members as other
    where other.team_id = member.team_id and other.user_id <> member.user_id`
  return await db
    .selectFrom('team_members as member')
    .innerJoin('teams as team', 'team.id', 'member.team_id')
    .select(['team.id', 'team.name', 'member.role'])
    .select([
      sql<number>`(${others} and other.role = 'owner')`.as('otherOwners'),
      sql<number>`(${others})`.as('otherMembers'),
    ])
    .where('member.user_id', '=', userId)
    .orderBy('team.id')
    .execute()
}
