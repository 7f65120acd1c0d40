import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteBudget } from './byte-budget.ts'

const free = 65_536

test('large contents are refused while the share of their owner is full, and small ones never are', () => {
  const budget = createByteBudget(900)
  const [one, other, small] = [budget.lease('a'), budget.lease('a'), budget.lease('a')]
  assert.equal(one.take(free + 500), true)
  assert.equal(small.take(free), true)
  assert.equal(other.take(free + 200), false)
  one.end()
  one.end()
  assert.equal(budget.lease('a').take(free + 600), true)
})

test('a further owner always gets a share of the budget', () => {
  const budget = createByteBudget(900)
  const [greedy, next, third] = [budget.lease('a'), budget.lease('b'), budget.lease('c')]
  assert.equal(greedy.take(free + 600), true)
  assert.equal(greedy.take(1), false)
  assert.equal(next.take(free + 200), true)
  assert.equal(third.take(free + 60), true)
  greedy.end()
  assert.equal(third.take(300), true)
})

test('bytes that are given back can be taken again by every owner', () => {
  const budget = createByteBudget(900)
  for (let n = 0; n < 100; n++) {
    const lease = budget.lease(`${n % 3}`)
    assert.equal(lease.take(free + 300), true)
    assert.equal(lease.take(300), true)
    lease.end()
  }
})

test('bytes that are in memory already count beyond the share and make their owner overfull', () => {
  const budget = createByteBudget(900)
  const lease = budget.lease('a')
  lease.hold(free + 700)
  assert.equal(budget.isOverfull('a'), true)
  assert.equal(budget.lease('b').take(free + 140), false)
  lease.end()
  assert.equal(budget.isOverfull('a'), false)
})
