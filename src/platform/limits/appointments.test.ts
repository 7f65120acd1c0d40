import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppointments } from './appointments.ts'

const limits = { spacingMs: () => 30, soonestMs: 1000, latestMs: 60_000 }

test('appointments follow one another at the spacing, the first one soon', () => {
  const { next } = createAppointments(limits)
  assert.deepEqual([next(0), next(0), next(500), next(5000)], [1000, 1030, 1500, 6000])
})

test('past the latest time each job gets its own time in the second half of it', () => {
  const { next } = createAppointments(limits)
  const times = Array.from({ length: 4000 }, () => next(0))
  assert.ok(Math.max(...times) <= 60_000)
  const late = times.slice(2000)
  assert.ok(Math.min(...late) >= 30_000)
  assert.equal(new Set(late).size, late.length)
})

test('a line that moves faster than expected comes closer', () => {
  const { next, hasten } = createAppointments({ ...limits, soonestMs: 1 })
  for (let index = 0; index < 100; index++) next(0)
  hasten(0.5, 0)
  assert.equal(next(0), (100 * 30) / 2 + 30)
})
