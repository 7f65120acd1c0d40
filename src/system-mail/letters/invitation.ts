import { tokenLink } from '../../auth/account-tokens/link.ts'
import { issueMailedInvitationToken } from '../../auth/invitations/issue.ts'
import type { App, Tx } from '../../context.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'
import { BoundReached, countSystemMail } from '../count.ts'
import type { Order } from '../jobs.ts'
import { quoted, timeOf } from '../letter.ts'
import { findInvitation } from '../queries.ts'
import { hostOf, type Post } from './post.ts'

/** More than a company invites on a day by hand. */
const invitationsADayMax = 50
const toAnAddressMax = 3

/**
 * Writes the mail of an invitation with a new token. Writes none if the invitation has ended. Throws `BoundReached`
 * past a bound.
 */
export async function writeInvitation(
  tx: Tx,
  app: App,
  { teamId, invitationId }: Extract<Order, { about: 'invitation' }>,
): Promise<Post[]> {
  const invitation = await findInvitation(tx.db, teamId, invitationId)
  if (!invitation) return []
  const { email, role, teamName, invitedBy, expiresAt } = invitation
  const subject = normalizeAddress(email)
  const bounds = [
    { kind: 'invitation', subject: teamId, max: invitationsADayMax, per: 'day' as const },
    { kind: 'invitation-to', subject, max: toAnAddressMax, per: 'hour' as const },
  ]
  for (const bound of bounds) if (!(await countSystemMail(tx, app, bound))) throw new BoundReached()
  const token = await issueMailedInvitationToken(tx, teamId, invitationId)
  if (token === null) return []
  const letter = {
    subject: 'Invitation to a team',
    paragraphs: [
      `${quoted(invitedBy)} invites you to the team “${quoted(teamName)}” at ${hostOf(app)}. Your role would be: ${role}.`,
      { label: 'See the invitation', url: tokenLink(app, 'invitation', token) },
      `The link works until ${timeOf(expiresAt)}. If you do not know who invites you, ignore this mail.`,
    ],
  }
  return [{ to: email, letter }]
}
