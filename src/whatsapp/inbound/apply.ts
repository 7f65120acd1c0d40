import type { App, Tx } from '../../context.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import { allEnded } from '../../platform/waiting/all-ended.ts'
import { recordChoices } from '../marketing/choices.ts'
import { matchWhatsappStatuses, recordWhatsappStatuses } from '../messages/facts/reports.ts'
import type { WhatsappInboundEvent } from '../provider.ts'
import { lockChosenSenders } from '../senders/queries.ts'
import { applyReviews } from '../templates/apply-reviews.ts'
import type { MarketingEvent, MessageEvent, Outcome, StatusEvent } from './event.ts'
import { findReceived, recordMessages } from './record-messages.ts'
import { idMax } from './schema.ts'

export type InboundCounts = { received: number; processed: number; duplicates: number; ignored: number }

/**
 * Applies the events of a call, all or none, each once. The result does not depend on order, repeats or concurrent
 * calls. At most two commits run at a time, since one alone leaves half of two cores idle. Calls that arrive meanwhile
 * share the next one.
 */
export const applyInboundEvents: (app: App, events: WhatsappInboundEvent[]) => Promise<InboundCounts> = gatheredFor(
  (app, calls) => app.transaction((tx) => applyAll(tx, calls)),
  { itemsMax: 20, flushesMax: 2 },
)

async function applyAll(tx: Tx, calls: WhatsappInboundEvent[][]): Promise<InboundCounts[]> {
  const events = calls.flat()
  const outcomes = new Map<WhatsappInboundEvent, Outcome>()
  const note = <E extends WhatsappInboundEvent>(its: E[], results: Outcome[]) => {
    for (const [index, event] of its.entries()) outcomes.set(event, results[index]!)
  }
  const statuses = events.filter((event) => event.type === 'status').filter(hasUsableId)
  const messages = events.filter((event) => event.type === 'message').filter(hasUsableId)
  const choices = events.filter((event) => event.type === 'marketing')
  const reviews = events.filter((event) => event.type === 'template_status')
  const matches = await matchWhatsappStatuses(tx, statuses)
  // Every transaction locks conversations before messages. What comes afterwards goes in the same writes.
  const received = await findReceived(tx, messages)
  const [ofMessages, ofStatuses] = await allEnded([
    recordMessages(tx, messages, received),
    recordWhatsappStatuses(tx, statuses, matches),
  ])
  note(messages, ofMessages)
  note(statuses, ofStatuses)
  note(choices, await recordMarketingEvents(tx, choices))
  note(reviews, await applyReviews(tx, reviews))
  return calls.map((its) => count(its.map((event) => outcomes.get(event) ?? 'ignored')))
}

function hasUsableId({ providerMessageId }: MessageEvent | StatusEvent): boolean {
  return providerMessageId.length <= idMax
}

function count(outcomes: Outcome[]): InboundCounts {
  const of = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
  return { received: outcomes.length, processed: of('processed'), duplicates: of('duplicate'), ignored: of('ignored') }
}

/** Records what customers chose about marketing. A choice without a time, or with one in the future, was made now. */
async function recordMarketingEvents(tx: Tx, events: MarketingEvent[]): Promise<Outcome[]> {
  if (events.length === 0) return []
  const found = await lockChosenSenders(tx, [...new Set(events.map(({ phoneNumberId }) => phoneNumberId))])
  const senders = Map.groupBy(found, ({ phoneNumberId }) => phoneNumberId)
  const choices = events.flatMap((event) => {
    const { phoneNumberId, from: phoneNumber, choice, at } = event
    const made = { phoneNumber, choice, at: at && at < tx.now ? at : tx.now }
    return (senders.get(phoneNumberId) ?? []).map(({ teamId, id }) => ({ event, teamId, senderId: id, ...made }))
  })
  const fresh = await recordChoices(tx, choices)
  const news = new Set(choices.filter((_, index) => fresh[index]).map(({ event }) => event))
  return events.map((event) => {
    if (!senders.has(event.phoneNumberId)) return 'ignored'
    return news.has(event) ? 'processed' : 'duplicate'
  })
}
