import { setTimeout as sleep } from 'node:timers/promises'
import type { EmailStatus } from '../../emails/messages/statuses.ts'
import { findEmail } from '../../emails/queries.ts'
import type { Turn } from '../nodes/node.ts'

const pollMs = 50
/** A little over a lease: by then the process that was sending it is done, or another one has sent it. */
const waitMaxMs = 40_000

/**
 * The email that an attempt before this one has made; null where none was made, or what was made was taken back. Waits for one
 * that is being handed over: until it is, it may be taken back. One that waits for its time is out of our hands.
 */
export async function findEarlierEmail(turn: Turn): Promise<{ id: string; status: EmailStatus } | null> {
  if (turn.attempt === 1) return null
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const email = await findEmail(turn.app.db, turn.teamId, turn.id)
    if (!email) return null
    if (email.status !== 'scheduled' || email.scheduledAt || waitedMs >= waitMaxMs) return email
    await sleep(pollMs, undefined, { signal: turn.signal })
  }
}
