import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../../../test/clock.ts'
import { createPace, type PaceBounds } from './pace.ts'

/** Moves the given number of bytes in each minute. Returns the minute in which the transfer was refused, or null. */
function refusedIn(t: test.TestContext, bounds: PaceBounds, minutes: number[]): number | null {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = manualClock()
  const pace = createPace(clock, bounds)
  let moved = 0
  let refused = false
  pace.watch(
    () => moved,
    () => {
      refused = true
    },
  )
  const minute = minutes.findIndex((bytes) => {
    moved += bytes
    clock.advance(60_000)
    t.mock.timers.tick(1000)
    return refused
  })
  pace.stop()
  return minute === -1 ? null : minute
}

const steady = 60 * 1024

test('a transfer of a KiB a second is not refused', (t) => {
  assert.equal(refusedIn(t, { graceMs: 10_000 }, Array(100).fill(steady)), null)
})

test('a slower transfer is refused once it is behind by the grace', (t) => {
  assert.equal(refusedIn(t, { graceMs: 150_000 }, [steady, 0, 0, 0, 0]), 3)
})

test('bytes that were moved early count for later, up to the limit', (t) => {
  assert.equal(refusedIn(t, { graceMs: 30_000 }, [10 * steady, ...Array(9).fill(0)]), null)
})

test('a burst beyond the limit counts only up to it', (t) => {
  const bounds = { graceMs: 30_000, aheadMaxBytes: 2 * steady }
  assert.equal(refusedIn(t, bounds, [100 * steady, 0, 0, 0, 0]), 2)
})
