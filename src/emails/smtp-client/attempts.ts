type Attempt = { mark: number }

/** The wait before another connection is tried, if one failed while others work. */
const growAgainAfterMs = 1000

/** Creates the record of a pool's attempts to connect. `mark` is that of its queue. */
export function createAttempts(mark: () => number) {
  /** Each has the queue's mark of its beginning. */
  const underWay = new Set<Attempt>()
  let failedMark = 0
  let isHeld = false
  return {
    count: () => underWay.size,
    begin(): Attempt {
      const attempt = { mark: mark() }
      underWay.add(attempt)
      return attempt
    },
    end: (attempt: Attempt) => underWay.delete(attempt),
    /** Without any connection, a message that already had an attempt waits until those under way have ended. */
    mayBegin: (hasConnections: boolean) => (hasConnections ? !isHeld : underWay.size === 0 || mark() > failedMark),
    /**
     * Notes an attempt that failed without any connection. Returns the mark of the messages that fail with it: those
     * that waited when it began, once no earlier attempt is under way, and none (0) before. Later messages get another
     * attempt. A server that accepts only five of ten connections thus fails no message, and one that cannot be reached
     * fails all after one timeout.
     */
    fail(attempt: Attempt): number {
      failedMark = Math.max(failedMark, attempt.mark)
      const isFirst = ![...underWay].some(({ mark }) => mark <= failedMark)
      return isFirst ? failedMark : 0
    },
    /** Opens no further connection for a second, and calls `release` then. */
    hold(release: () => void): void {
      if (isHeld) return
      isHeld = true
      setTimeout(() => {
        isHeld = false
        release()
      }, growAgainAfterMs).unref()
    },
  }
}
