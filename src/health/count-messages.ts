import type { Tx } from '../context.ts'
import { committedCounter } from '../platform/log/metrics.ts'
import { isTestTeam } from '../platform/mode/mode.ts'

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

/** Counts messages of live teams. */
export function countMessages(tx: Tx, channel: Channel, messages: { teamId: string }[]): void {
  const live = messages.filter(({ teamId }) => !isTestTeam(teamId))
  const labels = live.map(() => ({ channel }))
  countAccepted(tx, labels)
}

/** Counts events of live teams' messages. To be called with events that were not recorded before. */
export function countMessageEvents(tx: Tx, channel: Channel, events: { teamId: string; type: string }[]): void {
  const live = events.filter(({ teamId }) => !isTestTeam(teamId))
  const labels = live.map(({ type }) => ({ channel, event: type }))
  countEvents(tx, labels)
}
