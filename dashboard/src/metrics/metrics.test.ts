import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf, rateOf } from './counts.ts'
import { periodOf, startOf } from './period.ts'

test('a period begins at a full hour or day in UTC and holds now', () => {
  const now = new Date('2026-11-22T23:41:07Z')
  assert.equal(startOf(periodOf('24h'), now), '2026-11-22T00:00:00.000Z')
  assert.equal(startOf(periodOf('30d'), now), '2026-10-24T00:00:00.000Z')
  assert.equal(periodOf('nonsense').value, '30d')
})

test('a rate is of those whose outcome is known, and unknown without any', () => {
  assert.equal(rateOf(3, 1, 0), 0.75)
  assert.equal(rateOf(0, 0, 0), null)
})

test('counts are said in words', () => {
  assert.equal(countsOf({ sent: 1400, delivered: 3 }, ['sent', 'delivered']), '1,400 sent, 3 delivered')
})
