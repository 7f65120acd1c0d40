import { createSemaphore } from '../../../../platform/limits/semaphore.ts'
import { perApp } from '../../../../platform/per-app.ts'

/**
 * Limits reading and composing for deliveries to 32 at a time. More would only wait for the database's connections,
 * ahead of requests that wait for an answer. As many deliveries may wait as there are jobs.
 */
export const preparingOf = perApp(() => createSemaphore({ runningMax: 32 }))
