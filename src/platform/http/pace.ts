import type { Clock } from '../clock.ts'
import { DomainError } from '../errors.ts'

/** Bodies that are being received. A slow sender holds memory and a connection for long. */
export type Pace = {
  /** `received` tells the bytes so far; `refuse` is called where they come too slowly. The answer ends the watch. */
  watch(received: () => number, refuse: (refusal: DomainError) => void): () => void
  stop(): void
}

const graceMs = 10_000
/** Averaged after the grace; a telephone on a poor line sends ten times that. */
const bytesPerSecondMin = 1024
const lookMs = 1000

export function createPace(clock: Clock): Pace {
  const watched = new Set<() => void>()
  const timer = setInterval(() => {
    for (const look of watched) look()
  }, lookMs).unref()
  return {
    watch(received, refuse) {
      const began = clock.now().getTime()
      const look = () => {
        const lateMs = clock.now().getTime() - began - graceMs
        if (lateMs > 0 && received() < (lateMs / 1000) * bytesPerSecondMin) refuse(tooSlow())
      }
      watched.add(look)
      return () => void watched.delete(look)
    },
    stop: () => clearInterval(timer),
  }
}

function tooSlow(): DomainError {
  return new DomainError('tooSlow', 'The body came at less than 1 KiB a second. Send it again on a faster connection.')
}
