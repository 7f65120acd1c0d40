import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBudget } from './memory-budget.ts'

const free = 65_536

test('large bodies wait outside when those inside fill their owner’s share; small ones never do', () => {
  const budget = memoryBudget(900)
  const [one, other, small] = [budget.lease('a'), budget.lease('a'), budget.lease('a')]
  assert.equal(one.take(free + 500), null)
  assert.equal(small.take(free), null)
  assert.equal(other.take(free + 200)?.kind, 'unavailable')
  one.end()
  one.end()
  assert.equal(budget.lease('a').take(free + 600), null)
})

test('whatever one owner holds, another finds room', () => {
  const budget = memoryBudget(900)
  const [greedy, next, third] = [budget.lease('a'), budget.lease('b'), budget.lease('c')]
  assert.equal(greedy.take(free + 600), null)
  assert.equal(greedy.take(1)?.kind, 'unavailable')
  assert.equal(next.take(free + 200), null)
  assert.equal(third.take(free + 60), null)
  greedy.end()
  assert.equal(third.take(300), null)
})

test('what is given back can be taken again, by anybody', () => {
  const budget = memoryBudget(900)
  for (let n = 0; n < 100; n++) {
    const lease = budget.lease(`${n % 3}`)
    assert.equal(lease.take(free + 300), null)
    assert.equal(lease.take(300), null)
    lease.end()
  }
})
