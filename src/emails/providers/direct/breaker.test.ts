import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreaker } from './breaker.ts'

const restsMs = [30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000]

test('a server rests after three failures in a row, and longer after each failed trial, up to 15 minutes', () => {
  const breaker = createBreaker()
  let now = 1_000_000
  breaker.failed(now)
  breaker.failed(now)
  assert.equal(breaker.restsUntil(now), null)
  for (const restMs of restsMs) {
    breaker.failed(now)
    assert.equal(breaker.restsUntil(now), now + restMs)
    now += restMs
    assert.equal(breaker.restsUntil(now), null)
    assert.equal(breaker.onTrial(), true)
  }
})

test('failures of attempts that began before the rest do not prolong it', () => {
  const breaker = createBreaker()
  for (let failure = 0; failure < 10; failure++) breaker.failed(1000)
  assert.equal(breaker.restsUntil(1000), 31_000)
})

test('one success forgets all failures', () => {
  const breaker = createBreaker()
  for (let failure = 0; failure < 3; failure++) breaker.failed(1000)
  breaker.succeeded()
  assert.deepEqual([breaker.restsUntil(1000), breaker.onTrial()], [null, false])
  breaker.failed(1000)
  assert.equal(breaker.restsUntil(1000), null)
})
