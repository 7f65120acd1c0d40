import assert from 'node:assert/strict'

/** Four times the size takes four times as long if the time is linear, and sixteen times if it is quadratic. */
const [sizeFactor, timeFactorMax] = [4, 12]
/** A kernel may count the processor time of a thread in ticks of 4 or 10 ms, so less says nothing. */
const measurableMs = 40
const [smallRuns, rounds] = [3, 10]
/** Linear work takes fewer steps for each unit of its size. Quadratic work takes as many as half the size. */
const cheapSteps = 100
const measuredSteps = 20_000_000
const compilingFactorMax = 10

/**
 * Fails if the processor time of `work` grows faster than the size that it is given, up to `size`. Work of few steps
 * for each unit of its size passes at once. Measured against itself it may seem to grow faster, because a small size
 * fits into a cache. Other work is compared with itself at a smaller size, and repeated if it is too short to measure.
 * A machine whose speed changes between two measurements is measured again, both sizes one after the other.
 */
export function assertLinear(name: string, work: (size: number) => void, size: number): void {
  if (isCheap(work, size)) return
  const smallSize = Math.ceil(size / sizeFactor)
  const { times, ms } = untilMeasurable(() => work(smallSize))
  let small = ms
  for (let round = 1; ; round++) {
    const large = costMs(() => work(size), times)
    if (large <= timeFactorMax * small || isCheap(work, size)) return
    const told = `${times} times the work took ${large} ms, and ${small} ms with a size of 1/${sizeFactor}`
    if (round === rounds) assert.fail(`${name}: ${told}`)
    small = costMs(() => work(smallSize), times)
  }
}

/** Tells whether work takes no more than `cheapSteps` steps of a loop for each unit of its size. */
function isCheap(work: (size: number) => void, size: number): boolean {
  const boundMs = size * cheapSteps * stepMs()
  const times = Math.ceil(measurableMs / boundMs)
  // A first run takes several times as long as the next ones, because its code is not compiled yet.
  const first = costMs(() => work(size), 1)
  return (
    first <= compilingFactorMax * Math.max(boundMs, measurableMs) && costMs(() => work(size), times) <= times * boundMs
  )
}

/**
 * Returns how often work must be repeated so that each of some runs can be measured, and the quickest of these. A first
 * run may be long only because its code is not compiled yet, or because memory is collected.
 */
function untilMeasurable(work: () => void): { times: number; ms: number } {
  for (let times = 1; ; times *= 2) {
    let ms = Number.POSITIVE_INFINITY
    for (let run = 1; run <= smallRuns && (run === 1 || ms >= measurableMs); run++) {
      ms = Math.min(ms, costMs(work, times))
    }
    if (ms >= measurableMs) return { times, ms }
  }
}

/** Measures one step of a loop, in milliseconds. */
function stepMs(): number {
  let sum = 0
  const ms = costMs(() => {
    for (let step = 1; step <= measuredSteps; step++) sum = (sum * 31 + step) | 0
  }, 1)
  // The compiler keeps a loop whose result is read.
  assert.notEqual(sum, 0)
  return ms / measuredSteps
}

/** Counts this thread alone, since others of the process may be at work for other tests. */
function costMs(work: () => void, times: number): number {
  const before = process.threadCpuUsage()
  for (let time = 1; time <= times; time++) work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
