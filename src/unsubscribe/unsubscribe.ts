import { setTimeout as sleep } from 'node:timers/promises'
import { lockFreeContact } from '../audience/lock-free.ts'
import { findNewestEmail } from '../broadcasts/find-newest-email.ts'
import { isToken } from '../contacts/unsubscribe/token.ts'
import { findContactsByTokens, type TokenContact, unsubscribeContact } from '../contacts/unsubscribe/unsubscribe.ts'
import type { App, Tx } from '../context.ts'
import { recordUnsubscribed } from '../emails/messages/facts/record.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { gatheredByTeam } from '../platform/transaction/gather-by-team.ts'

/** Pauses after which a locked contact is tried again. Most locks are held for a moment. */
const pausesMs = [10, 50]

/**
 * Opts out the contact that has this token. Any other text changes nothing, and takes as long as a token that was used
 * before. These requests are not limited, so a text that is not a token costs no query, and the other look-ups share
 * one. A contact that others have locked, such as an import, is waited for apart: requests that wait for it would hold
 * all connections.
 */
export async function unsubscribeByToken(app: App, token: string): Promise<void> {
  if (!isToken(token)) return
  const contact = await findContact(app, token)
  if (!contact || contact.unsubscribed) return
  for (const pauseMs of pausesMs) {
    if ((await app.transaction((tx) => unsubscribeIfFree(tx, contact))) !== 'locked') return
    await sleep(pauseMs)
  }
  await unsubscribeOnceFree(app, contact)
}

async function unsubscribeIfFree(tx: Tx, contact: TokenContact) {
  const state = await lockFreeContact(tx, contact)
  if (state === 'free') await unsubscribe(tx, contact)
  return state
}

const unsubscribeOnceFree = gatheredByTeam(async (app: App, contacts: TokenContact[]) => {
  for (const contact of contacts) await app.transaction((tx) => unsubscribe(tx, contact))
  return contacts.map(() => null)
})

/** The token does not tell which email the link was in, so that the newest one counts as unsubscribed. */
async function unsubscribe(tx: Tx, contact: TokenContact): Promise<void> {
  if (!(await unsubscribeContact(tx, contact))) return
  const emailId = await findNewestEmail(tx.db, contact.teamId, contact.id)
  if (emailId !== null) await recordUnsubscribed(tx, contact.teamId, emailId)
}

const findContact = gatheredFor<App, string, TokenContact | null>(
  async (app, tokens) => {
    const found = await findContactsByTokens(app.db, tokens)
    return tokens.map((token) => found.get(token) ?? null)
  },
  { itemsMax: 500, flushesMax: 2 },
)
