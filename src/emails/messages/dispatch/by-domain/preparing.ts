import { createSemaphore } from '../../../../platform/limits/semaphore.ts'
import { perApp } from '../../../../platform/per-app.ts'

/**
 * Reads and composes for deliveries, 32 at a time. More would only stand in line for the database's connections, before
 * requests that wait for an answer. As many wait as there are jobs.
 */
export const preparingOf = perApp(() => createSemaphore({ runningMax: 32 }))
