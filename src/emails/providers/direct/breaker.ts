/** The number of consecutive failures to connect or to be greeted after which a server is left alone for a while. */
const failuresMax = 3
const restMs = 30_000
const restMaxMs = 15 * 60_000

/**
 * Keeps all mail away from a server that is down. The rest becomes longer after each failed trial. `nowMs` is always
 * the time of the app's clock.
 */
type Breaker = {
  /** The end of the rest. Null if the server may be used. */
  restsUntil(nowMs: number): number | null
  /** True if the rest is over and no attempt has ended since, so that one message may try. */
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
      // The attempt began before the rest, so its failure adds nothing.
      if (until > nowMs) return
      failures++
      if (failures >= failuresMax) until = nowMs + Math.min(restMs * 2 ** (failures - failuresMax), restMaxMs)
    },
  }
}
