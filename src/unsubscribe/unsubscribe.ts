import { findContactsByTokens, isToken, type TokenContact, unsubscribeContact } from '../contacts/unsubscribe-token.ts'
import type { App } from '../context.ts'
import { gatheredFor } from '../platform/gather.ts'

/**
 * Opts the contact out whose token this is. Anything else changes nothing, and takes as long as a token used before.
 * Nobody is limited here, so what is no token costs nothing, and the look-ups of all others are shared.
 */
export async function unsubscribeByToken(app: App, token: string): Promise<void> {
  if (!isToken(token)) return
  const contact = await findContact(app, token)
  if (contact && !contact.unsubscribed) await app.transaction((tx) => unsubscribeContact(tx, contact))
}

const findContact = gatheredFor<App, string, TokenContact | null>(
  async (app, tokens) => {
    const found = await findContactsByTokens(app.db, tokens)
    return tokens.map((token) => found.get(token) ?? null)
  },
  { itemsMax: 500, flushesMax: 2 },
)
