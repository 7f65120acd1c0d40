import { countSlow } from './pace.ts'

/**
 * Slow endpoints have this share of a process's places: however many there are and whosesoever, the others are free for
 * those that answer.
 */
const slowMax = 500
/** What is forgotten is learned again, by one round of attempts. */
const knownMax = 20_000
/** Where there are more, each has its place for one round, which takes up to `WEBHOOK_TIMEOUT` (15 s): so often one comes free. */
const appointmentEveryMs = 15_000 / slowMax
const appointmentMinMs = 1000
/** However long the line is, an endpoint looks in again after this. */
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

/** When a slow endpoint that found no place may come again: one after the other, about as fast as places come free. */
export function appointment(now: Date): Date {
  const nowMs = now.getTime()
  const nextMs = Math.max(endOfLineMs + appointmentEveryMs, nowMs + appointmentMinMs)
  endOfLineMs = Math.min(nextMs, nowMs + appointmentMaxMs)
  return new Date(Math.ceil(endOfLineMs))
}
