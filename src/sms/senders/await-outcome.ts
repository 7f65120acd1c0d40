import { setTimeout } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { getSender } from './get.ts'

/** Longer than a provider is asked, which takes 20 s at most. */
const waitMax = 25_000
const pollMs = 100

/**
 * Waits until the verification that another request has begun is over. Returns the sender, which is pending if it takes
 * too long.
 */
export async function awaitOutcome(app: App, teamId: string, id: string) {
  for (let waited = 0; ; waited += pollMs) {
    const sender = await getSender(app, teamId, id)
    if (sender.status !== 'pending' || waited >= waitMax) return sender
    await setTimeout(pollMs)
  }
}
