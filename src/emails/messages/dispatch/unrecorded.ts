import type { App } from '../../../context.ts'
import { createSemaphore } from '../../../platform/limits/semaphore.ts'
import { perApp } from '../../../platform/per-app.ts'

/**
 * Emails that a process has handed to a relay, or is handing to it, and has not recorded yet. If the process is killed,
 * these may be sent again. At the 50 ms that a relay and a commit take together, 64 are 1,280 emails a second.
 */
export const unrecordedMax = 64

/** How long an email waits for a place, because it holds up its request. */
const waitMs = 15_000
const waitingMax = 10_000
const waitingBytesMax = 256 * 1024 * 1024

const semaphoreOf = perApp(() => createSemaphore({ runningMax: unrecordedMax, waitingMax, waitingBytesMax, waitMs }))

/** Waits for one of the places. Returns the function that frees it, or null if none became free in time. */
export function enterUnrecorded(app: App, sizeBytes: number): Promise<(() => void) | null> {
  return semaphoreOf(app).enter(sizeBytes)
}
