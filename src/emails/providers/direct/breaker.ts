/** After so many failures in a row to connect or to be greeted, a server is given a rest. */
const failuresMax = 3
const restMs = 30_000
const restMaxMs = 15 * 60_000

/**
 * Keeps a server that is down from being asked by everybody who has mail for it: it rests, longer after every failed trial.
 * `nowMs` is always the clock's.
 */
export type Breaker = {
  /** Until when it rests; null where it may be asked. */
  restsUntil(nowMs: number): number | null
  /** Its rest is over and nobody knows yet: one may try. */
  onTrial(): boolean
  succeeded(): void
  failed(nowMs: number): void
}

export function createBreaker(): Breaker {
  let failures = 0
  let until = 0
  return {
    restsUntil: (nowMs) => (until > nowMs ? until : null),
    onTrial: () => failures >= failuresMax,
    succeeded() {
      failures = 0
      until = 0
    },
    failed(nowMs) {
      // Attempts from before the rest say nothing new.
      if (until > nowMs) return
      failures++
      if (failures >= failuresMax) until = nowMs + Math.min(restMs * 2 ** (failures - failuresMax), restMaxMs)
    },
  }
}
