import { sql } from 'kysely'
import type { Db, LimitOverrides, Plan, Tx } from '../context.ts'
import type { Database } from '../database.ts'

/** Finds a team that is not deleted. */
export function findTeam(db: Db, teamId: string) {
  return db
    .selectFrom('teams')
    .select(['id', 'name', 'plan', 'require_two_factor as requireTwoFactor', 'created_at as createdAt'])
    .where('id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The plan of a team, and the limits that an operator overrode. */
export async function findTerms(db: Db, teamId: string): Promise<Terms | undefined> {
  return db
    .selectFrom('teams')
    .select(['plan', 'limit_overrides as limitOverrides'])
    .where('id', '=', teamId)
    .executeTakeFirst()
}

/** Locks the terms of teams against changes, in the order of their ids. Returns them by team. */
export async function lockTerms(tx: Tx, teamIds: string[]): Promise<Map<string, Terms>> {
  const rows = await tx.db
    .selectFrom('teams')
    .select(['id', 'plan', 'limit_overrides as limitOverrides'])
    .where('id', '=', sql<string>`any(${[...new Set(teamIds)]}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(rows.map(({ id, ...terms }) => [id, terms]))
}

export type Terms = { plan: Plan; limitOverrides: LimitOverrides }

export type Profile = {
  user: {
    id: string
    email: string
    name: string | null
    twoFactorEnabled: boolean
    emailVerified: boolean
    createdAt: Date
  }
  team: { id: string; name: string; plan: Plan; createdAt: Date }
  role: Database['team_members']['role']
}

export async function findProfile(db: Db, teamId: string, userId: string): Promise<Profile | null> {
  const row = await db
    .selectFrom('team_members as member')
    .innerJoin('teams as team', 'team.id', 'member.team_id')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .select(['member.role', 'team.name as teamName', 'team.plan', 'team.created_at as teamCreatedAt'])
    .select(['user.email', 'user.name', 'user.totp_secret as totpSecret', 'user.created_at as userCreatedAt'])
    .select('user.email_verified_at as emailVerifiedAt')
    .where('member.team_id', '=', teamId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const { email, name, role, plan } = row
  return {
    user: {
      id: userId,
      email,
      name,
      twoFactorEnabled: row.totpSecret !== null,
      emailVerified: row.emailVerifiedAt !== null,
      createdAt: row.userCreatedAt,
    },
    team: { id: teamId, name: row.teamName, plan, createdAt: row.teamCreatedAt },
    role,
  }
}

/** Finds the team a user signs in to: the first one joined. */
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

export async function countOwnedTeams(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('team_members')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertMember(
  tx: Tx,
  { teamId, userId, role }: { teamId: string; userId: string; role: Profile['role'] },
): Promise<void> {
  await tx.db
    .insertInto('team_members')
    .values({ team_id: teamId, user_id: userId, role, created_at: tx.now })
    .execute()
}

type NewUser = { email: string; name: string | null; passwordHash: string | null; emailVerified: boolean }

/** Inserts a user and returns the id. Null if the address has an account, also from a concurrent sign-up. */
export async function insertUser(
  tx: Tx,
  { email, name, passwordHash, emailVerified }: NewUser,
): Promise<string | null> {
  const user = { id: tx.newId(), email, email_lower: email.toLowerCase(), name, password_hash: passwordHash }
  const email_verified_at = emailVerified ? tx.now : null
  const inserted = await tx.db
    .insertInto('users')
    .values({ ...user, email_verified_at, created_at: tx.now })
    .onConflict((conflict) => conflict.column('email_lower').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

export type UserByEmail = { id: string; passwordHash: string | null; emailVerifiedAt: Date | null }

export async function findUserByEmail(db: Db, email: string): Promise<UserByEmail | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash', 'email_verified_at as emailVerifiedAt'])
    .where('email_lower', '=', email.toLowerCase())
    .executeTakeFirst()
  return row ?? null
}

/** Finds the password's hash. Null for a user who signs in through a provider only. */
export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

/**
 * Marks the address of an account as verified by a provider. An account with a password is left as it is, because the
 * password may be another person's.
 */
export async function updateProvenByProvider(tx: Tx, userId: string, email: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ email_verified_at: tx.now })
    .where('id', '=', userId)
    .where('email_lower', '=', email.toLowerCase())
    .where('email_verified_at', 'is', null)
    .where('password_hash', 'is', null)
    .execute()
}
