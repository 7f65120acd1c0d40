import { setTimeout as sleep } from 'node:timers/promises'
import type { EmailStatus } from '../../emails/messages/statuses.ts'
import { findEmail } from '../../emails/queries.ts'
import type { Turn } from '../nodes/node.ts'

const pollMs = 50
/** Slightly longer than a lease: by then the process that was sending the email, or another one, has sent it. */
const waitMaxMs = 40_000

/**
 * Finds the email of an earlier attempt; null if none was accepted, or if it was withdrawn. Waits while the email is
 * being handed over, since it may be withdrawn until then. Does not wait for a scheduled email.
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
