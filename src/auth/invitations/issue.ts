import type { Tx } from '../../context.ts'
import { generateToken, hashToken } from '../account-tokens/token.ts'
import { insertInvitationToken } from './queries.ts'

/**
 * Issues a token for a link that is mailed to the invited address, and that verifies the address of a new account.
 * Several may be issued; each is good until the invitation ends. Null if the invitation was accepted or revoked or has
 * expired.
 */
export async function issueMailedInvitationToken(tx: Tx, teamId: string, invitationId: string): Promise<string | null> {
  const invitation = await tx.db
    .selectFrom('team_invitations')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', invitationId)
    .where('expires_at', '>', tx.now)
    .forKeyShare()
    .executeTakeFirst()
  if (!invitation) return null
  return issueInvitationToken(tx, { teamId, invitationId, mailed: true })
}

/** Issues a token of an invitation, and returns its text. */
export async function issueInvitationToken(
  tx: Tx,
  invitation: { teamId: string; invitationId: string; mailed: boolean },
): Promise<string> {
  const token = generateToken()
  await insertInvitationToken(tx, { ...invitation, tokenHash: hashToken(token) })
  return token
}
