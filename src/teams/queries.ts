import type { Db, Plan } from '../context.ts'
import type { TeamMembersTable } from './table.ts'

export type Profile = {
  user: { id: string; email: string; name: string | null; twoFactorEnabled: boolean; createdAt: Date }
  team: { id: string; name: string; plan: Plan; createdAt: Date }
  role: TeamMembersTable['role']
}

/** A user as a member of a team. */
export async function findProfile(db: Db, teamId: string, userId: string): Promise<Profile | null> {
  const row = await db
    .selectFrom('team_members as member')
    .innerJoin('teams as team', 'team.id', 'member.team_id')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .select(['member.role', 'team.name as teamName', 'team.plan', 'team.created_at as teamCreatedAt'])
    .select(['user.email', 'user.name', 'user.totp_secret as totpSecret', 'user.created_at as userCreatedAt'])
    .where('member.team_id', '=', teamId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const { email, name, role, plan } = row
  return {
    user: { id: userId, email, name, twoFactorEnabled: row.totpSecret !== null, createdAt: row.userCreatedAt },
    team: { id: teamId, name: row.teamName, plan, createdAt: row.teamCreatedAt },
    role,
  }
}

/** The team a user signs in to: the first one joined. */
export async function findTeamIdOfUser(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('team_members')
    .select('team_id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('team_id')
    .limit(1)
    .executeTakeFirst()
  return row?.team_id ?? null
}

export async function insertMember(
  db: Db,
  member: { teamId: string; userId: string; role: Profile['role']; at: Date },
): Promise<void> {
  const { teamId, userId, role, at } = member
  await db.insertInto('team_members').values({ team_id: teamId, user_id: userId, role, created_at: at }).execute()
}

export type NewUser = { id: string; email: string; name: string | null; passwordHash: string | null; at: Date }

/** False where the address is taken, also by a sign-up that was quicker by a moment. */
export async function insertUser(db: Db, { id, email, name, passwordHash, at }: NewUser): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({ id, email, email_lower: email.toLowerCase(), name, password_hash: passwordHash, created_at: at })
    .onConflict((conflict) => conflict.column('email_lower').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<{ id: string; passwordHash: string | null } | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_lower', '=', email.toLowerCase())
    .executeTakeFirst()
  return row ?? null
}
