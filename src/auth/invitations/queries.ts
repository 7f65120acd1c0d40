import { type Selectable, sql } from 'kysely'
import type { Db, Role, Tx } from '../../context.ts'
import type { Database } from '../../database.ts'
import type { Invitation } from './schema.ts'

/** Selects the invitations of a team that have not expired. */
export function invitationsOf(db: Db, teamId: string, now: Date) {
  return db
    .selectFrom('team_invitations as invitation')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select(['invitation.id', 'invitation.email', 'invitation.role'])
    .select([
      sql<Invitation['invitedBy']>`
        jsonb_build_object('userId', inviter.id, 'name', inviter.name, 'email', inviter.email)
      `.as('invitedBy'),
      'invitation.expires_at as expiresAt',
      'invitation.created_at as createdAt',
    ])
    .where('invitation.team_id', '=', teamId)
    .where('invitation.expires_at', '>', now)
}

/** Finds the invitation of an address, also an expired one. */
export function findInvitationOfAddress(db: Db, teamId: string, email: string) {
  return db
    .selectFrom('team_invitations')
    .select(['id', 'role', 'expires_at'])
    .where('team_id', '=', teamId)
    .where('email_lower', '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function insertInvitation(tx: Tx, row: Omit<Selectable<Database['team_invitations']>, 'email_lower'>) {
  await tx.db
    .insertInto('team_invitations')
    .values({ ...row, email_lower: row.email.toLowerCase() })
    .execute()
}

type NewInvitationToken = { tokenHash: Buffer; teamId: string; invitationId: string; mailed: boolean }

export async function insertInvitationToken(
  tx: Tx,
  { tokenHash, teamId, invitationId, mailed }: NewInvitationToken,
): Promise<void> {
  await tx.db
    .insertInto('team_invitation_tokens')
    .values({ token_hash: tokenHash, team_id: teamId, invitation_id: invitationId, mailed })
    .execute()
}

/** The team and the role that a token invites to. */
export type Invited = { id: string; teamId: string; teamName: string; email: string; role: Role; mailed: boolean }

/** Finds the invitation of a token, unless it has expired or its team is gone. */
export function findInvited(db: Db, tokenHash: Buffer, now: Date): Promise<Invited | undefined> {
  return db
    .selectFrom('team_invitation_tokens as token')
    .innerJoin('team_invitations as invitation', (join) =>
      join.onRef('invitation.team_id', '=', 'token.team_id').onRef('invitation.id', '=', 'token.invitation_id'),
    )
    .innerJoin('teams as team', 'team.id', 'invitation.team_id')
    .select(['invitation.id', 'team.id as teamId', 'team.name as teamName'])
    .select(['invitation.email', 'invitation.role', 'token.mailed'])
    .where('token.token_hash', '=', tokenHash)
    .where('invitation.expires_at', '>', now)
    .where('team.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Deletes an invitation with its tokens. */
export async function deleteInvitation(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.db.deleteFrom('team_invitations').where('team_id', '=', teamId).where('id', '=', id).execute()
}

/** Deletes the invitations that a member made, or those to a role. */
export async function deleteInvitationsBy(
  tx: Tx,
  teamId: string,
  { userId, role }: { userId: string; role?: Role },
): Promise<void> {
  await tx.db
    .deleteFrom('team_invitations')
    .where('team_id', '=', teamId)
    .where('invited_by', '=', userId)
    .$if(role !== undefined, (query) => query.where('role', '=', role!))
    .execute()
}
