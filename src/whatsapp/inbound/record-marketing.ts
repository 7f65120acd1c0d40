import type { Tx } from '../../context.ts'
import { recordChoices } from '../marketing/choices.ts'
import { lockReceivingSenders } from '../senders/queries.ts'
import type { MarketingEvent, Outcome } from './event.ts'

/** Records what customers chose about marketing. A choice without a time, or with one in the future, was made now. */
export async function recordMarketingEvents(tx: Tx, events: MarketingEvent[]): Promise<Outcome[]> {
  if (events.length === 0) return []
  const found = await lockReceivingSenders(tx, [...new Set(events.map(({ phoneNumberId }) => phoneNumberId))])
  const senders = new Map(found.map((sender) => [sender.phoneNumberId, sender]))
  const known = events.filter(({ phoneNumberId }) => senders.has(phoneNumberId))
  const fresh = await recordChoices(
    tx,
    known.map(({ phoneNumberId, from, choice, at }) => {
      const { teamId, id } = senders.get(phoneNumberId)!
      return { teamId, senderId: id, phoneNumber: from, choice, at: at && at < tx.now ? at : tx.now }
    }),
  )
  const results = new Map(known.map((event, index) => [event, fresh[index]]))
  return events.map((event) => (!results.has(event) ? 'ignored' : results.get(event) ? 'processed' : 'duplicate'))
}
