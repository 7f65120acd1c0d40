import assert from 'node:assert/strict'

/** Four times the size takes four times as long if the time is linear, and sixteen times if it is quadratic. */
const [sizeFactor, timeFactorMax] = [4, 10]
const runs = 5
/** Less is too little to compare. */
const slackMs = 20

/**
 * Fails if the processor time of `work` grows faster than the size that it is given, up to `size`. It compares the
 * quickest of some runs, on which the speed of the machine and its other work have no influence.
 */
export function assertLinear(name: string, work: (size: number) => void, size: number): void {
  // The first runs are slow, since nothing is compiled yet.
  const small = Math.min(...Array.from({ length: runs }, () => costMs(() => work(Math.ceil(size / sizeFactor)))))
  let large = Number.POSITIVE_INFINITY
  for (let run = 1; run <= runs; run++) {
    large = Math.min(
      large,
      costMs(() => work(size)),
    )
    if (large <= timeFactorMax * small + slackMs) return
  }
  assert.fail(`${name}: ${sizeFactor} times the size took ${large} ms in place of ${small} ms`)
}

/** Counts this thread alone, since others of the process may be at work for other tests. */
function costMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
