import type { Tx } from '../context.ts'
import { type Event, publish } from '../platform/events.ts'

/** `unsubscribed`: the flag went up, whoever raised it. `updated`: the API or an import changed a contact that was there. */
export type ContactEvent = 'contact.created' | 'contact.updated' | 'contact.unsubscribed'

/**
 * Tells of contacts by id alone: who listens reads what it needs in the same transaction, and an import of thousands
 * costs nothing where nobody does.
 */
export async function announceContacts(
  tx: Tx,
  teamId: string,
  idsByType: Partial<Record<ContactEvent, string[]>>,
): Promise<void> {
  const heard = Object.entries(idsByType).filter(([type]) => tx.subscriptions.some(({ types }) => types.includes(type)))
  const events = heard.flatMap(([type, ids]) =>
    ids.map((contactId) => contactEvent(type as ContactEvent, teamId, contactId)),
  )
  await publish(tx, events)
}

export function contactEvent(type: ContactEvent, teamId: string, contactId: string, cause?: string): Event {
  return { type, teamId, data: { contactId }, ...(cause && { cause }) }
}
