import type { EmailFacts } from '../../messages/facts/record.ts'
import { type BotReason, type Click, clickReasonOf } from './bots.ts'
import type { Hit } from './hit.ts'
import { type TrackedEmail, tallyKey, toldKey } from './queries.ts'

/**
 * So many openings and clicks of one email are recorded, and as many again that machines made, which must not use up
 * people's: a link cannot be used to fill a table.
 */
const recordedMax = 100

/**
 * Turns the hits of some emails into events, each marked where a machine made it. Listeners hear of the first in each
 * minute (`toldKey`), since anybody who has a link can request it, and each is sent to every webhook. Emails that are no more
 * have none.
 */
export function judgeHits(hits: readonly Hit[], emails: readonly TrackedEmail[]): EmailFacts[] {
  const known = new Map(emails.map((email) => [`${email.teamId} ${email.emailId}`, stateOf(email)]))
  return hits.flatMap((hit) => {
    const state = known.get(`${hit.teamId} ${hit.emailId}`)
    if (!state) return []
    const botReason = hit.botReason ?? timeReasonOf(hit, state)
    const key = tallyKey(hit.type, botReason !== null)
    const tally = (state.tallies.get(key) ?? 0) + 1
    if (tally > recordedMax) return []
    state.tallies.set(key, tally)
    const heard = toldKey(hit, botReason !== null)
    const isUntold = state.told.has(heard)
    state.told.add(heard)
    if (hit.link !== null) state.clicks.push({ ...hit, link: hit.link })
    const fact = { type: hit.type, recipient: null, data: dataOf(hit, state.email, botReason) }
    return [{ teamId: hit.teamId, emailId: hit.emailId, providerEventId: hit.id, facts: [fact], isUntold }]
  })
}

type State = { email: TrackedEmail; tallies: Map<string, number>; clicks: Click[]; told: Set<string> }

function stateOf(email: TrackedEmail): State {
  const clicks = email.recentClicks.map(({ at, ...click }) => ({ ...click, at: new Date(at) }))
  return { email, tallies: new Map(Object.entries(email.tallies)), clicks, told: new Set(email.told) }
}

function timeReasonOf(hit: Hit, { email, clicks }: State): BotReason | null {
  return hit.link === null ? null : clickReasonOf({ ...hit, link: hit.link }, email.sentAt, clicks)
}

/** As Amazon SES tells it, with what we think of who did it. */
function dataOf(hit: Hit, email: TrackedEmail, botReason: BotReason | null): Record<string, unknown> {
  const { ipAddress, userAgent, link } = hit
  const seen = { timestamp: hit.at.toISOString(), ipAddress, userAgent }
  return {
    ...(link === null
      ? { notificationType: 'Open', open: seen }
      : { notificationType: 'Click', click: { ...seen, link } }),
    mail: email.mail ?? { messageId: email.messageId.replace(/^<|>$/g, '') },
    bot: botReason !== null,
    ...(botReason && { botReason }),
  }
}
