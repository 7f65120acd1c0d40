import type { FactsOfEmail } from '../../messages/facts/consequences.ts'
import { type BotReason, type Click, clickReasonOf } from './bots.ts'
import type { Hit } from './hit.ts'
import { type TrackedEmail, tallyKey, toldKey } from './queries.ts'

/**
 * The number of openings and of clicks recorded for one email, so that a link cannot be used to fill the table. Hits of
 * machines have their own limit, so that they do not use up the limit for people.
 */
const recordedMax = 100

/**
 * Turns the hits of some emails into events, and marks those that a machine made. Reports only the first of each minute
 * (`toldKey`) to listeners, because anyone with a link can request it and each report goes to every webhook. Deleted
 * emails get no events.
 */
export function judgeHits(hits: readonly Hit[], emails: readonly TrackedEmail[]): FactsOfEmail[] {
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
    const isSilent = state.told.has(heard)
    state.told.add(heard)
    if (hit.link !== null) state.clicks.push({ ...hit, link: hit.link })
    const fact = { type: hit.type, recipient: null, data: dataOf(hit, state.email, botReason) }
    return [{ teamId: hit.teamId, emailId: hit.emailId, providerEventId: hit.id, facts: [fact], isSilent }]
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

/** Returns an event's data in the form of Amazon SES, with our verdict on whether a machine made the hit. */
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
