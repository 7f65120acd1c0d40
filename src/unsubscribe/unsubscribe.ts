import { findContactByToken, unsubscribeContact } from '../contacts/unsubscribe-token.ts'
import type { App } from '../context.ts'

/** Opts the contact out whose token this is. Anything else changes nothing, and takes as long as a token used before. */
export function unsubscribeByToken(app: App, token: string): Promise<void> {
  return app.transaction(async (tx) => {
    const contact = await findContactByToken(tx.db, token)
    if (contact && !contact.unsubscribed) await unsubscribeContact(tx, contact)
  })
}
