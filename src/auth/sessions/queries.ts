import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import type { AccessClaims } from './access-token.ts'
import type { TokenChange, TokenUse } from './used-tokens.ts'

/** Finds the user's role and the team's plan and limits, if the login is valid and the user is still a member. */
export function findLoginMember(db: Db, { loginId, userId, teamId }: AccessClaims) {
  // The team of the token: a login that was switched meanwhile is in another one.
  return membersOfLogins(db, teamId)
    .where('login.user_id', '=', userId)
    .where('login.family_id', '=', loginId)
    .executeTakeFirst()
}

/**
 * The members whose logins were not revoked, with what a caller needs of them and of their teams. Without `teamId` each
 * is the member of the team that the login is in.
 */
export function membersOfLogins(db: Db, teamId?: string) {
  const team = teamId === undefined ? sql.ref<string>('login.team_id') : sql<string>`${teamId}::uuid`
  return db
    .selectFrom('refresh_tokens as login')
    .innerJoin('team_members as member', (join) =>
      join.onRef('member.user_id', '=', 'login.user_id').on('member.team_id', '=', team),
    )
    .innerJoin('teams as team', 'team.id', 'member.team_id')
    .innerJoin('users as user', 'user.id', 'login.user_id')
    .select(['team.plan', 'team.limit_overrides as limitOverrides', 'member.role', 'login.confirmed_at as confirmedAt'])
    .select(['login.last_seen_at as lastSeenAt'])
    .select(sql<boolean>`team.require_two_factor and "user".totp_secret is null`.as('needsTwoFactor'))
    .where('login.revoked_at', 'is', null)
}

export type Login = {
  loginId: string
  userId: string
  teamId: string
  tokenHash: Buffer
  /** The tokens that were replaced within ten seconds before the last replacement, oldest first. */
  uses: TokenUse[]
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
  /** True for the login of a browser session, which has no refresh token. */
  isBrowser: boolean
}

/** Finds a login and locks its row, so that one rotation or revocation happens at a time. */
export async function lockLogin(tx: Tx, loginId: string): Promise<Login | undefined> {
  const row = await tx.db
    .selectFrom('refresh_tokens')
    .select(['family_id as loginId', 'user_id as userId', 'team_id as teamId', 'token_hash as tokenHash'])
    .select(['used_hashes as usedHashes', 'used_at as usedAt'])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'revoked_at as revokedAt'])
    .select(sql<boolean>`cookie_hash is not null`.as('isBrowser'))
    .where('family_id', '=', loginId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const { usedHashes, usedAt, ...login } = row
  return { ...login, uses: usedHashes.map((hash, index) => ({ hash, at: usedAt[index]! })) }
}

/** The client of a sign-in or refresh. */
export type LoginClient = { address: string | null; userAgent: string | null }

type NewLogin = LoginClient & Pick<Login, 'loginId' | 'userId' | 'teamId' | 'tokenHash' | 'expiresAt'>

export async function insertLogin(
  tx: Tx,
  { loginId, userId, teamId, tokenHash, expiresAt, address, userAgent }: NewLogin,
): Promise<void> {
  const ids = { family_id: loginId, user_id: userId, team_id: teamId }
  const times = { created_at: tx.now, last_seen_at: tx.now, expires_at: expiresAt }
  await tx.db
    .insertInto('refresh_tokens')
    .values({ ...ids, ...times, token_hash: tokenHash, confirmed_at: tx.now, address, user_agent: userAgent })
    .execute()
}

/** Replaces the token of a login, which its client used just now. */
export async function updateLoginToken(
  tx: Tx,
  { address, userAgent, ...change }: TokenChange & LoginClient,
): Promise<void> {
  await tx.db
    .updateTable('refresh_tokens')
    .set(tokenColumns(change))
    .set({ last_seen_at: tx.now, address, user_agent: userAgent })
    .where('family_id', '=', change.loginId)
    .execute()
}

export function tokenColumns({ tokenHash, uses, expiresAt }: Omit<TokenChange, 'loginId'>) {
  const used = { used_hashes: uses.map(({ hash }) => hash), used_at: uses.map(({ at }) => at) }
  return { token_hash: tokenHash, expires_at: expiresAt, ...used }
}

/** Revokes a login and returns its user and team. Undefined if it is unknown or has ended. */
export async function updateLoginRevoked(
  tx: Tx,
  loginId: string,
): Promise<{ userId: string; teamId: string } | undefined> {
  return await tx.db
    .updateTable('refresh_tokens')
    .set({ revoked_at: tx.now })
    .where('family_id', '=', loginId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .returning(['user_id as userId', 'team_id as teamId'])
    .executeTakeFirst()
}

/** Notes that the person gave the password or a code in a login. False if the login has ended. */
export async function updateLoginConfirmed(tx: Tx, loginId: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('refresh_tokens')
    .set({ confirmed_at: tx.now })
    .where('family_id', '=', loginId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Puts a login into another team, with the next token. */
export async function updateLoginTeam(
  tx: Tx,
  { loginId, teamId, ...change }: TokenChange & { teamId: string },
): Promise<void> {
  await tx.db
    .updateTable('refresh_tokens')
    .set(tokenColumns(change))
    .set({ team_id: teamId })
    .where('family_id', '=', loginId)
    .execute()
}

/** Sets when the person last gave the password or a code, for a login that another login opened. */
export async function updateConfirmedAt(tx: Tx, loginId: string, confirmedAt: Date): Promise<void> {
  await tx.db
    .updateTable('refresh_tokens')
    .set({ confirmed_at: confirmedAt })
    .where('family_id', '=', loginId)
    .execute()
}

export async function updateLoginsRevoked(tx: Tx, userId: string): Promise<void> {
  await revoking(tx, userId).execute()
}

export async function updateOtherLoginsRevoked(tx: Tx, userId: string, loginId: string): Promise<void> {
  await revoking(tx, userId).where('family_id', '!=', loginId).execute()
}

export async function updateLoginsOfTeamRevoked(tx: Tx, userId: string, teamId: string): Promise<void> {
  await revoking(tx, userId).where('team_id', '=', teamId).execute()
}

function revoking(tx: Tx, userId: string) {
  const logins = tx.db.updateTable('refresh_tokens').where('user_id', '=', userId).where('revoked_at', 'is', null)
  return logins.set({ revoked_at: tx.now })
}

/** The logins of a user that have not ended, in all teams. */
export function loginsOfUser(db: Db, userId: string, now: Date) {
  return db
    .selectFrom('refresh_tokens')
    .select(['family_id as id', 'user_agent as userAgent', 'address'])
    .select(['created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
}
