import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Role, Tx } from '../../context.ts'
import type { Database } from '../../database.ts'
import type { Member } from './schema.ts'

export function findMember(db: Db, teamId: string, userId: string): Promise<Member | undefined> {
  return membersOf(db, teamId).where('member.user_id', '=', userId).executeTakeFirst()
}

/** Selects the members of a team. `createdAt` is the time of joining. */
export function membersOf(db: Db, teamId: string): SelectQueryBuilder<MemberTables, 'member' | 'user', Member> {
  return db
    .selectFrom('team_members as member')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .select(['member.user_id as userId', 'user.email', 'user.name', 'member.role'])
    .select([
      sql<boolean>`"user".totp_secret is not null`.as('twoFactorEnabled'),
      sql<Date | null>`(
        select max(last_seen_at) from refresh_tokens login
        where login.user_id = member.user_id and login.team_id = member.team_id
      )`.as('lastSeenAt'),
      'member.created_at as createdAt',
    ])
    .where('member.team_id', '=', teamId)
}

type MemberTables = Database & { member: Database['team_members']; user: Database['users'] }

export async function updateRole(tx: Tx, teamId: string, userId: string, role: Role): Promise<void> {
  await tx.db
    .updateTable('team_members')
    .set({ role })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteMember(tx: Tx, teamId: string, userId: string): Promise<void> {
  await tx.db.deleteFrom('team_members').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
}

export async function countOwners(db: Db, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('team_members')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('team_id', '=', teamId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}
