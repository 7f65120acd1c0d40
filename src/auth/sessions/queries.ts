import { sql } from 'kysely'
import type { Db, LimitOverrides, Plan } from '../../context.ts'
import type { AccessClaims } from './access-token.ts'

/** The team's plan and limits, as long as the login stands and the user is still a member. */
export async function findSessionMember(
  db: Db,
  { familyId, userId, teamId }: AccessClaims,
): Promise<{ plan: Plan; limitOverrides: LimitOverrides } | undefined> {
  return await db
    .selectFrom('refresh_tokens as login')
    .innerJoin('team_members as member', (join) =>
      join.onRef('member.team_id', '=', 'login.team_id').onRef('member.user_id', '=', 'login.user_id'),
    )
    .innerJoin('teams as team', 'team.id', 'login.team_id')
    .select(['team.plan', 'team.limit_overrides as limitOverrides'])
    .where('login.team_id', '=', teamId)
    .where('login.user_id', '=', userId)
    .where('login.family_id', '=', familyId)
    .where('login.revoked_at', 'is', null)
    .executeTakeFirst()
}

export type Login = {
  userId: string
  teamId: string
  tokenHash: Buffer
  previousHash: Buffer | null
  rotatedAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

/** Locked: one rotation or revocation of a family at a time. */
export async function findLoginForUpdate(db: Db, familyId: string): Promise<Login | undefined> {
  return await db
    .selectFrom('refresh_tokens')
    .select(['user_id as userId', 'team_id as teamId', 'token_hash as tokenHash', 'previous_hash as previousHash'])
    .select(['rotated_at as rotatedAt', 'expires_at as expiresAt', 'revoked_at as revokedAt'])
    .where('family_id', '=', familyId)
    .forUpdate()
    .executeTakeFirst()
}

export type NewLogin = {
  familyId: string
  userId: string
  teamId: string
  tokenHash: Buffer
  at: Date
  expiresAt: Date
}

export async function insertLogin(
  db: Db,
  { familyId, userId, teamId, tokenHash, at, expiresAt }: NewLogin,
): Promise<void> {
  const ids = { family_id: familyId, user_id: userId, team_id: teamId }
  const times = { rotated_at: at, created_at: at, expires_at: expiresAt }
  await db
    .insertInto('refresh_tokens')
    .values({ ...ids, ...times, token_hash: tokenHash })
    .execute()
}

export type Rotation = { familyId: string; tokenHash: Buffer; at: Date; expiresAt: Date }

export async function updateLoginToken(db: Db, { familyId, tokenHash, at, expiresAt }: Rotation): Promise<void> {
  await db
    .updateTable('refresh_tokens')
    .set({ previous_hash: sql`token_hash`, token_hash: tokenHash, rotated_at: at, expires_at: expiresAt })
    .where('family_id', '=', familyId)
    .execute()
}

export async function updateLoginRevoked(db: Db, familyId: string, at: Date): Promise<void> {
  await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: at })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function deleteExpiredLogins(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('refresh_tokens').where('expires_at', '<', now).execute()
}
