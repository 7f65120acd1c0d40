import type { App } from '../../context.ts'
import { createAppointments } from '../../platform/limits/appointments.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'
import { countSlow } from './flow.ts'

/**
 * Slow endpoints that a process delivers to at once. The other half of its endpoints is reserved for those that answer
 * in time.
 */
const slowMax = 500
/** Slow endpoints to remember. A forgotten one is found to be slow again by one round of attempts. */
const knownMax = 20_000
/**
 * If there are more, each gets one round, which takes up to `WEBHOOK_TIMEOUT` (15 s). One place therefore becomes free
 * this often.
 */
const spacingMs = 15_000 / slowMax

const slowOf = perApp(() => ({
  known: createLru<true>({ countMax: knownMax }),
  appointments: createAppointments({ spacingMs: () => spacingMs, soonestMs: 1000, latestMs: 60_000 }),
}))

export function isKnownSlow(app: App, webhookId: string): boolean {
  return slowOf(app).known.has(webhookId)
}

export function rememberSlow(app: App, webhookId: string, isSlow: boolean): void {
  if (isSlow) slowOf(app).known.set(webhookId, true)
  else slowOf(app).known.delete(webhookId)
}

export function hasPlaceForSlow(app: App): boolean {
  return countSlow(app) < slowMax
}

/**
 * Returns when a slow endpoint that found no place may try again: one after the other, as fast as places become free.
 */
export function slowAppointment(app: App): Date {
  return new Date(slowOf(app).appointments.next(app.clock.now().getTime()))
}
