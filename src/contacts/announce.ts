import type { Tx } from '../context.ts'
import type { Event } from '../events.ts'
import { publish } from '../platform/events.ts'

const names = ['contact.created', 'contact.updated', 'contact.unsubscribed'] as const
type ContactEvent = (typeof names)[number]

/**
 * Publishes the ids of contacts. Subscribers read the rest in the same transaction, so an import of thousands costs
 * nothing without subscribers.
 */
export async function announceContacts(
  tx: Tx,
  teamId: string,
  idsByType: Partial<Record<ContactEvent, string[]>>,
): Promise<void> {
  const heard = names.filter((name) => tx.subscriptions.some(({ types }) => types.includes(name)))
  const events = heard.flatMap((name) =>
    (idsByType[name] ?? []).map((contactId) => contactEvent(name, teamId, contactId)),
  )
  await publish(tx, events)
}

export function contactEvent(
  type: ContactEvent,
  teamId: string,
  contactId: string,
  cause?: string,
): Event<ContactEvent> {
  return { type, teamId, data: { contactId }, ...(cause && { cause }) }
}
