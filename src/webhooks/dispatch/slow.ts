import { countSlow } from './pace.ts'

/**
 * Slow endpoints that a process delivers to at once. The other half of its endpoints is reserved for those that answer in
 * time.
 */
const slowMax = 500
/** Slow endpoints to remember. A forgotten one is found to be slow again by one round of attempts. */
const knownMax = 20_000
/** If there are more, each gets one round, which takes up to `WEBHOOK_TIMEOUT` (15 s). One place therefore becomes free this often. */
const appointmentEveryMs = 15_000 / slowMax
const appointmentMinMs = 1000
/** The longest wait before an endpoint tries for a place again. */
const appointmentMaxMs = 60_000

const known = new Set<string>()
let endOfLineMs = 0

export function isKnownSlow(webhookId: string): boolean {
  return known.has(webhookId)
}

export function rememberSlow(webhookId: string, isSlow: boolean): void {
  known.delete(webhookId)
  if (!isSlow) return
  const [oldest] = known
  if (oldest !== undefined && known.size >= knownMax) known.delete(oldest)
  known.add(webhookId)
}

export function hasPlaceForSlow(): boolean {
  return countSlow() < slowMax
}

/** Returns when a slow endpoint that found no place may try again: one after the other, as fast as places become free. */
export function appointment(now: Date): Date {
  const nowMs = now.getTime()
  const nextMs = Math.max(endOfLineMs + appointmentEveryMs, nowMs + appointmentMinMs)
  endOfLineMs = Math.min(nextMs, nowMs + appointmentMaxMs)
  return new Date(Math.ceil(endOfLineMs))
}
