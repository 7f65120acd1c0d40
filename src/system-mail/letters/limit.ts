import { limitsOf } from '../../billing/plans.ts'
import type { App, Tx } from '../../context.ts'
import { findTeam, findTerms } from '../../teams/queries.ts'
import type { Order } from '../jobs.ts'
import { quoted } from '../letter.ts'
import type { LimitName } from '../limits/limit.ts'
import { listAdmins } from '../queries.ts'
import { hostOf, type Post } from './post.ts'

const textOf: Record<LimitName, (most: string) => { limit: string; refused: string }> = {
  dailyEmailLimit: (most) => ({ limit: `${most} emails a day`, refused: 'Emails' }),
  dailySmsLimit: (most) => ({ limit: `${most} SMS a day`, refused: 'SMS' }),
  dailySmsSpendLimit: (most) => ({ limit: `$${most} a day for SMS`, refused: 'SMS' }),
}

/** Writes to the owners and admins of a team that a limit of the day is near its end, or reached. */
export async function writeLimitMail(
  tx: Tx,
  app: App,
  { teamId, limit: name, percent }: Extract<Order, { about: 'limit' }>,
): Promise<Post[]> {
  const [team, terms] = [await findTeam(tx.db, teamId), await findTerms(tx.db, teamId)]
  if (!team || !terms) return []
  const { limit, refused } = textOf[name](limitsOf(terms)[name].toLocaleString('en'))
  const isReached = percent >= 100
  const letter = {
    subject: isReached ? `The limit of ${limit} is reached` : `The limit of ${limit} is near its end`,
    paragraphs: [
      `The team “${quoted(team.name)}” at ${hostOf(app)} has used ${isReached ? '' : '80 % of '}its limit of ${limit}.`,
      `${refused} past the limit are refused until midnight UTC, when the limit starts anew.`,
      'An owner can choose a larger plan, and the operator can raise the limit.',
    ],
  }
  return (await listAdmins(tx.db, teamId)).map((to) => ({ to, letter }))
}
