import type { Event, EventName } from '../../../events.ts'
import type { Trigger } from '../queries.ts'

/** The events that workflows can listen to. */
export const heardNames = [
  ...(['email.sent', 'email.delivered', 'email.delivery_delayed', 'email.bounced', 'email.complained'] as const),
  ...(['email.opened', 'email.clicked'] as const),
  ...(['contact.created', 'contact.updated', 'contact.unsubscribed', 'contact.added_to_segment'] as const),
  'broadcast.completed',
] as const satisfies EventName[]
type HeardName = (typeof heardNames)[number]

/** An event as a job keeps it until executions are started. */
export type Heard = { [Name in HeardName]: Omit<Event<Name>, 'teamId'> }[HeardName]

/** Whether an event may fire a trigger, as far as the event itself tells. */
export function mayFire({ events, config }: Pick<Trigger, 'events' | 'config'>, { type, data }: Heard): boolean {
  if (!events.includes(type)) return false
  if (type === 'contact.added_to_segment') return isWanted(config.segment_id, data.segmentId)
  return type !== 'broadcast.completed' || isWanted(config.broadcast_id, data.broadcastId)
}

/** Ids are stored as their author wrote them, so they may be in capitals. */
export function isWanted(wanted: unknown, id: unknown): boolean {
  return wanted === undefined || String(wanted).toLowerCase() === id
}
