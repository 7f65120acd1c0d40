import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOf, untilNextChange } from './time-left.ts'

const minute = 60_000

test('the time left is said in hours and minutes, and in seconds at the end', () => {
  assert.equal(leftOf(24 * 60 * minute - 1), '23 h 59 min')
  assert.equal(leftOf(60 * minute), '1 h 0 min')
  assert.equal(leftOf(60 * minute - 1), '59 min')
  assert.equal(leftOf(minute - 1), '60 s')
  assert.equal(leftOf(1), '1 s')
})

test('counting down reaches the end, and says each minute on the way', () => {
  const said = new Set<string>()
  let left = 3 * minute + 500
  for (let steps = 0; left > 0 && steps < 100; steps++) {
    said.add(leftOf(left))
    left -= untilNextChange(left)
  }
  assert.ok(left <= 0)
  assert.ok(['3 min', '2 min', '1 min', '59 s', '1 s'].every((words) => said.has(words)))
})
