import type { App, Tx } from '../../context.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import { matchStatuses, recordStatuses } from '../messages/facts/reports.ts'
import type { WhatsappInboundEvent } from '../provider.ts'
import { applyReviews } from '../templates/apply-reviews.ts'
import type { MessageEvent, Outcome, StatusEvent } from './event.ts'
import { recordMarketingEvents } from './record-marketing.ts'
import { openConversations, recordMessages } from './record-messages.ts'
import { idMax } from './schema.ts'

export type InboundCounts = { received: number; processed: number; duplicates: number; ignored: number }

/**
 * Applies the events of a call, all or none, each once. The result does not depend on order, repeats or concurrent
 * calls. Calls that arrive during a commit share the next one.
 */
export const applyInboundEvents: (app: App, events: WhatsappInboundEvent[]) => Promise<InboundCounts> = gatheredFor(
  (app, calls) => app.transaction((tx) => applyAll(tx, calls)),
  { itemsMax: 20, flushesMax: 1 },
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
  const matches = await matchStatuses(tx, statuses)
  // Every transaction locks conversations before messages. What comes afterwards goes in the same writes.
  const received = await openConversations(tx, messages)
  const [ofMessages, ofStatuses] = await Promise.all([
    recordMessages(tx, messages, received),
    recordStatuses(tx, statuses, matches),
  ])
  note(messages, ofMessages)
  note(statuses, ofStatuses)
  note(choices, await recordMarketingEvents(tx, choices))
  note(
    reviews,
    (await applyReviews(tx, reviews)).map((outcome) => ofReview[outcome]),
  )
  return calls.map((its) => count(its.map((event) => outcomes.get(event) ?? 'ignored')))
}

function hasUsableId({ providerMessageId }: MessageEvent | StatusEvent): boolean {
  return providerMessageId.length <= idMax
}

const ofReview = { moved: 'processed', same: 'duplicate', none: 'ignored' } as const

function count(outcomes: Outcome[]): InboundCounts {
  const of = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
  return { received: outcomes.length, processed: of('processed'), duplicates: of('duplicate'), ignored: of('ignored') }
}
