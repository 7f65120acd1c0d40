import type { Tx } from '../context.ts'
import { committedCounter } from '../platform/metrics.ts'

type Channel = 'email' | 'sms' | 'whatsapp'

const countAccepted = committedCounter({
  name: 'posthorn_messages_accepted_total',
  help: 'Messages that were accepted to be sent, by channel.',
  labelNames: ['channel'],
})

const countEvents = committedCounter({
  name: 'posthorn_message_events_total',
  help: 'What became of messages, by channel: sent, delivered, bounced, failed and so on. A message may have several events.',
  labelNames: ['channel', 'event'],
})

export function countMessages(tx: Tx, channel: Channel, messages: unknown[]): void {
  countAccepted(
    tx,
    messages.map(() => ({ channel })),
  )
}

/** To be called with events that were not recorded before. */
export function countMessageEvents(tx: Tx, channel: Channel, events: string[]): void {
  countEvents(
    tx,
    events.map((event) => ({ channel, event })),
  )
}
