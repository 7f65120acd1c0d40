import { limitsOf } from '../billing/plans.ts'
import type { App, Tx } from '../context.ts'
import { acceptRequests } from '../emails/messages/accept/accept.ts'
import { parseEmail } from '../emails/messages/accept/parse.ts'
import type { EmailCommand, SendingTeam } from '../emails/messages/email.ts'
import { conflict } from '../platform/errors.ts'
import { findTerms } from '../teams/queries.ts'
import { writeLetter } from './letter.ts'
import type { Post } from './letters/post.ts'

/**
 * Accepts letters as emails of `SYSTEM_TEAM`, due now. Workers hand them over, and repeat that, as they do with
 * scheduled mail. A refused letter does not affect the others. Throws the refusal if all are refused.
 */
export async function acceptLetters(
  tx: Tx,
  { config, log }: Pick<App, 'config' | 'log'>,
  posts: Post[],
): Promise<void> {
  if (posts.length === 0) return
  const teamId = config.systemTeam!
  const terms = await findTerms(tx.db, teamId)
  if (!terms) throw conflict(`There is no team with the id of SYSTEM_TEAM, ${teamId}.`)
  // It is bounded by address, and somebody waits for it.
  const bounds = { storedBytes: Number.MAX_SAFE_INTEGER, scheduledEmails: Number.MAX_SAFE_INTEGER }
  const team: SendingTeam = { teamId, domainId: null, limits: limitsOf(terms), bounds }
  const requests = posts.map((post) => {
    return { team, commands: [commandOf(tx, config.systemFrom!, post)], key: null, isBatch: false }
  })
  const results = await acceptRequests(tx, requests)
  const refusals = results.filter((result) => result instanceof Error)
  if (refusals.length === posts.length) throw refusals[0]
  if (refusals.length > 0) log.warn({ refused: refusals.length }, 'some system mail was refused')
}

function commandOf(tx: Tx, from: string, { to, letter }: Post): EmailCommand {
  // RFC 3834: keeps vacation notices and other programs from answering.
  const headers = { 'Auto-Submitted': 'auto-generated' }
  const command = parseEmail({ from, to: [to], headers, ...writeLetter(letter) }, tx.now)
  return { ...command, scheduledAt: tx.now, system: true }
}
