import { sql } from 'kysely'
import type { Db, Role } from '../context.ts'
import type { WebhookStatus } from '../webhooks/table.ts'

type Addressee = { email: string; isVerified: boolean }

/** Finds the address of an account. Null if there is no such account any more. */
export async function findAddressee(db: Db, userId: string): Promise<Addressee | null> {
  const row = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at as verifiedAt'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ? { email: row.email, isVerified: row.verifiedAt !== null } : null
}

/** `isFailing` is true if it was announced as failing and has not succeeded since. */
type WarnedWebhook = { host: string; teamName: string; status: WebhookStatus; isFailing: boolean }

/** Finds a webhook by the host of its address, whose path may be a secret. Null for a deleted one. */
export async function findWarnedWebhook(db: Db, teamId: string, id: string): Promise<WarnedWebhook | null> {
  const row = await db
    .selectFrom('webhooks')
    .innerJoin('teams', 'teams.id', 'webhooks.team_id')
    .select(['webhooks.endpoint_url as url', 'webhooks.status', 'teams.name as teamName'])
    .select(
      sql<boolean>`webhooks.status = 'active' and webhooks.failing_noted_at >= webhooks.healthy_at`.as('isFailing'),
    )
    .where('webhooks.team_id', '=', teamId)
    .where('webhooks.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { url, ...webhook } = row
  return { ...webhook, host: new URL(url).host }
}

/** A notice goes to so many owners and admins, the earliest members. */
const adminsMax = 50

/** Lists the verified addresses of a team's owners and admins. */
export async function listAdmins(db: Db, teamId: string): Promise<string[]> {
  return (await listWithRole(db, teamId, ['owner', 'admin'])).map(({ email }) => email)
}

/** Lists the verified addresses of a team's owners, but for one of them. */
export async function listOtherOwners(db: Db, teamId: string, userId: string): Promise<string[]> {
  const owners = await listWithRole(db, teamId, ['owner'])
  return owners.filter(({ id }) => id !== userId).map(({ email }) => email)
}

async function listWithRole(db: Db, teamId: string, roles: Role[]): Promise<{ id: string; email: string }[]> {
  return db
    .selectFrom('team_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['users.id', 'users.email'])
    .where('member.team_id', '=', teamId)
    .where('member.role', 'in', roles)
    .where('users.email_verified_at', 'is not', null)
    .orderBy('member.created_at')
    .orderBy('users.id')
    .limit(adminsMax)
    .execute()
}

/** Finds an invitation of a team with the names that its mail says. */
export async function findInvitation(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('team_invitations as invitation')
    .innerJoin('teams as team', 'team.id', 'invitation.team_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select(['invitation.email', 'invitation.role', 'invitation.expires_at as expiresAt', 'team.name as teamName'])
    .select((eb) => eb.fn.coalesce('inviter.name', 'inviter.email').as('invitedBy'))
    .where('invitation.team_id', '=', teamId)
    .where('invitation.id', '=', id)
    .where('team.deleted_at', 'is', null)
    .executeTakeFirst()
}
