import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../../test/clock.ts'
import { createPace, type PaceBounds } from './pace.ts'

/** Moves so many bytes in each of the minutes, and tells in which of them the transfer was refused. */
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

test('a transfer of a KiB a second goes on', (t) => {
  assert.equal(refusedIn(t, { graceMs: 10_000 }, Array(100).fill(steady)), null)
})

test('a slower one is refused once it is behind by the grace', (t) => {
  assert.equal(refusedIn(t, { graceMs: 150_000 }, [steady, 0, 0, 0, 0]), 3)
})

test('what was moved before counts for later, as far as the bounds allow', (t) => {
  assert.equal(refusedIn(t, { graceMs: 30_000 }, [10 * steady, ...Array(9).fill(0)]), null)
})

test('a burst beyond the bounds counts for no more than they say', (t) => {
  const bounds = { graceMs: 30_000, aheadMaxBytes: 2 * steady }
  assert.equal(refusedIn(t, bounds, [100 * steady, 0, 0, 0, 0]), 2)
})
