import { setTimeout as sleep } from 'node:timers/promises'
import { lockFreeContact } from '../audience/lock-free.ts'
import { findNewestEmail } from '../broadcasts/find-newest-email.ts'
import { isToken } from '../contacts/unsubscribe/token.ts'
import {
  blockContactAddress,
  type ContactKey,
  findContactsByTokens,
  type TokenContact,
  unsubscribeContact,
} from '../contacts/unsubscribe/unsubscribe.ts'
import type { App, Tx } from '../context.ts'
import { recordUnsubscribed } from '../emails/messages/facts/record.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import { endHeldJob } from '../platform/jobs/leases.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { optOutJob } from './jobs.ts'

/** Pauses after which a locked contact is tried again. Most locks are held for a moment. */
const pausesMs = [10, 50]

/** The longest wait before a contact that stays locked is tried again. Its address is blocked meanwhile. */
const lookAgainMaxMs = 30_000

/**
 * Opts out the contact that has this token. Any other text changes nothing, and takes as long as a token that was used
 * before. These requests are not limited, so a text that is not a token costs no query, and the other look-ups share
 * one. A contact that others have locked, such as an import, is not waited for: mailbox providers may not repeat a
 * request that failed. Its address is blocked at once, and a job opts it out when it is free.
 */
export async function unsubscribeByToken(app: App, token: string): Promise<void> {
  if (!isToken(token)) return
  const contact = await findContact(app, token)
  if (!contact || contact.unsubscribed) return
  for (const pauseMs of pausesMs) {
    if ((await app.transaction((tx) => unsubscribeIfFree(tx, contact))) !== 'locked') return
    await sleep(pauseMs)
  }
  await app.transaction((tx) => unsubscribeLater(tx, contact))
}

async function unsubscribeIfFree(tx: Tx, contact: ContactKey) {
  const state = await lockFreeContact(tx, contact)
  if (state === 'free') await unsubscribe(tx, contact)
  return state
}

async function unsubscribeLater(tx: Tx, { teamId, id }: ContactKey): Promise<void> {
  await blockContactAddress(tx, { teamId, id })
  await enqueueJob(tx, optOutJob, { teamId, key: id })
}

/** Ends with the commit that opts the contact out, so that a repeat does not undo a later `unsubscribed: false`. */
export const optOutLocked = defineJob(optOutJob, {
  concurrency: 2,
  retryDelaysMs: [1000, 5000, 30_000],
  attemptsMax: Number.POSITIVE_INFINITY,
  async run(app, job) {
    const state = await app.transaction(async (tx) => {
      const found = await unsubscribeIfFree(tx, { teamId: job.teamId, id: job.key })
      if (found !== 'locked') await endHeldJob(tx, job)
      return found
    })
    if (state !== 'locked') return 'recorded'
    const waitMs = Math.min(1000 * 2 ** (job.attempts - 1), lookAgainMaxMs)
    return { runAt: new Date(app.clock.now().getTime() + waitMs) }
  },
})

/** The token does not tell which email the link was in, so that the newest one counts as unsubscribed. */
async function unsubscribe(tx: Tx, contact: ContactKey): Promise<void> {
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
