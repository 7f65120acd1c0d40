import type { Tx } from '../context.ts'
import { publish } from '../platform/events.ts'

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
  cause?: string,
): Promise<void> {
  const heard = Object.entries(idsByType).filter(([type]) => tx.subscriptions.some(({ types }) => types.includes(type)))
  const events = heard.flatMap(([type, ids]) =>
    ids.map((contactId) => ({ type, teamId, data: { contactId }, ...(cause && { cause }) })),
  )
  await publish(tx, events)
}
