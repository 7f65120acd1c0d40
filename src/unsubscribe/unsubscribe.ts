import { isToken } from '../contacts/token.ts'
import { findContactsByTokens, type TokenContact, unsubscribeContact } from '../contacts/unsubscribe.ts'
import type { App } from '../context.ts'
import { gatheredFor } from '../platform/gather.ts'

/**
 * Opts out the contact that has this token. Any other text changes nothing, and takes as long as a token that was used before.
 * These requests are not limited, so a text that is not a token costs no query, and the other look-ups share one.
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
