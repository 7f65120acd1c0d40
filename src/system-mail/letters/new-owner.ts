import type { App, Tx } from '../../context.ts'
import { findMember } from '../../teams/members/queries.ts'
import { findTeam } from '../../teams/queries.ts'
import { countSystemMail } from '../count.ts'
import type { Order } from '../jobs.ts'
import { quoted, timeOf } from '../letter.ts'
import { listOtherOwners } from '../queries.ts'
import { hostOf, type Post } from './post.ts'

/** More than a team makes owners in a day. */
const aDayMax = 20

/**
 * Writes to the other owners of a team that a person became an owner. The person may have another role or be gone by
 * then.
 */
export async function writeNewOwnerMail(
  tx: Tx,
  app: App,
  { teamId, newOwnerId, at }: Extract<Order, { about: 'new-owner' }>,
): Promise<Post[]> {
  const [team, member] = [await findTeam(tx.db, teamId), await findMember(tx.db, teamId, newOwnerId)]
  if (!team) return []
  if (!(await countSystemMail(tx, app, { kind: 'new-owner', subject: teamId, max: aDayMax, per: 'day' }))) return []
  const person = member ? `${member.name === null ? '' : `${quoted(member.name)}, `}${member.email},` : 'A person'
  const letter = {
    subject: 'A team has a new owner',
    paragraphs: [
      `${person} became an owner of the team “${quoted(team.name)}” at ${hostOf(app)}. Owners may do everything, also remove you.`,
      `Time: ${timeOf(new Date(at))}.`,
      'If an owner of the team meant this, there is nothing to do. If not, remove the person, look at the audit log for who did it, and set a new password.',
    ],
  }
  return (await listOtherOwners(tx.db, teamId, newOwnerId)).map((to) => ({ to, letter }))
}
