import { limitsOf } from '../../billing/plans.ts'
import type { Tx } from '../../context.ts'
import { findSendingDomain, type SendingDomain } from '../../domains/queries.ts'
import { acceptBroadcastEmails } from '../../emails/of-broadcasts/accept.ts'
import { type CompiledText, compileText } from '../../emails/of-broadcasts/compile.ts'
import { findLetter } from '../../emails/of-broadcasts/find-letter.ts'
import { takePartOfQuota } from '../../emails/quota/usage.ts'
import { isAddress } from '../../platform/text/mail-address.ts'
import { addresseeKey, findSuppressed } from '../../suppressions/queries.ts'
import { findTerms } from '../../teams/queries.ts'
import { oneLine } from '../content/render.ts'
import { needsProperties, valuesOf } from '../content/variables.ts'
import { type BroadcastRow, teamsReachedByBroadcast, updateBroadcastRow } from '../queries.ts'
import { emailMade, type Outcome } from '../table.ts'
import { findNextRecipients, type Recipient, recordDecisions } from './recipients.ts'

/** Recipients in one commit: few enough for a short transaction, and enough to be fast. */
const pageMax = 200
/** The wait before the domain is checked again if it is no longer verified. */
const unverifiedMs = 60_000

type Page = { isLast: boolean; wait: { until: Date; isDaily: boolean } | null }

/**
 * Takes at most `room` of the next recipients. Skips those that may not get an email now, and makes emails for as many
 * others as the team's limits allow. The caller holds the lock of the broadcast's row, so that each contact is taken
 * once.
 */
export async function sendPage(tx: Tx, broadcast: BroadcastRow, room: number): Promise<Page> {
  const { team_id: teamId, id: broadcastId, topic_id: topicId, reached } = broadcast
  const domain = await findVerifiedDomain(tx, broadcast)
  if (!domain) return waitUntil(new Date(tx.now.getTime() + unverifiedMs), false)
  const letter = await findLetter(tx, tx.now, teamId, broadcastId)
  const subject = compileText(broadcast.subject, { escape: 'none' })
  const names = new Set([...(letter.html?.names ?? []), ...(letter.text?.names ?? [])])
  const ownerIds = teamsReachedByBroadcast(broadcast)
  const page = { teamId, broadcastId, ownerIds, topicId, after: reached, count: Math.min(room, pageMax) }
  const recipients = await findNextRecipients(tx.db, page, needsProperties([...names, ...subject.names]))
  if (recipients.length === 0) return { isLast: true, wait: null }

  const decided = await decide(tx, teamId, recipients)
  const asking = decided.filter(({ outcome }) => outcome === emailMade).length
  const limits = limitsOf((await findTerms(tx.db, teamId))!)
  const { granted, rest } = await takePartOfQuota(tx, { teamId, count: asking, limits })
  const decisions = withinGrant(decided, granted).map((decision) => {
    const { recipient, outcome } = decision
    return { ...decision, contactId: recipient.contactId, emailId: outcome === emailMade ? tx.newId() : null }
  })
  const head = { teamId, broadcastId, domain, from: broadcast.from_address, replyTo: broadcast.reply_to }
  await acceptBroadcastEmails(tx, head, newEmailsOf(decisions, subject, names))
  await recordDecisions(tx, page, decisions)
  const last = decisions.at(-1)
  if (last) await updateBroadcastRow(tx, teamId, broadcastId, { reached: last.contactId })
  return rest ? waitUntil(rest.at, rest.isDaily) : { isLast: false, wait: null }
}

function waitUntil(until: Date, isDaily: boolean): Page {
  return { isLast: false, wait: { until, isDaily } }
}

/** Locks the domain, so that it cannot be deleted while emails from it are being made. */
async function findVerifiedDomain(tx: Tx, broadcast: BroadcastRow): Promise<SendingDomain | null> {
  const wanted = { teamId: broadcast.team_id, name: broadcast.domain_name }
  const domain = await findSendingDomain(tx, wanted, { lock: true })
  return domain?.status === 'verified' ? domain : null
}

type Decided = { recipient: Recipient; outcome: Outcome }

/**
 * Decides by the present state of each contact. `skipReason` in `emails/of-broadcasts/` has the same rules, for
 * contacts that are only counted and for emails that wait.
 */
async function decide(tx: Tx, teamId: string, recipients: Recipient[]): Promise<Decided[]> {
  const pairs = recipients.flatMap(({ email }) => (email === null ? [] : [{ teamId, address: email }]))
  const suppressed = await findSuppressed(tx, pairs)
  const outcomeOf = ({ email, unsubscribed, isOptedIn }: Recipient): Outcome => {
    if (email === null || !isAddress(email)) return 'gone'
    if (unsubscribed) return 'unsubscribed'
    if (suppressed.has(addresseeKey({ teamId, address: email }))) return 'suppressed'
    return isOptedIn ? emailMade : 'not_opted_in'
  }
  return recipients.map((recipient) => ({ recipient, outcome: outcomeOf(recipient) }))
}

/** Returns the recipients before the first one that exceeds the grant. The next page begins with that recipient. */
function withinGrant(decided: Decided[], granted: number): Decided[] {
  const exceeding = decided.filter(({ outcome }) => outcome === emailMade)[granted]
  return exceeding ? decided.slice(0, decided.indexOf(exceeding)) : decided
}

type Decision = { recipient: Recipient; emailId: string | null }

/** Makes the emails of the recipients that get one. `names` are the variables of the letter. */
function newEmailsOf(decisions: Decision[], subject: CompiledText, names: Set<string>) {
  return decisions.flatMap(({ recipient, emailId: id }) => {
    if (id === null) return []
    const { email, unsubscribeSeed } = recipient
    const rendered = subject.render(valuesOf(recipient, subject.names))
    return [{ id, to: email!, subject: oneLine(rendered), variables: valuesOf(recipient, names), unsubscribeSeed }]
  })
}
