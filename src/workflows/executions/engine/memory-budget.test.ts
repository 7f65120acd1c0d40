import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryBudget } from './memory-budget.ts'

test('large executions wait in order until they fit, and small ones do not wait', async () => {
  const budget = createMemoryBudget({ maxBytes: 100, smallBytes: 5 })
  const entered: string[] = []
  const take = (name: string, bytes: number) => budget.take(bytes).then(() => entered.push(name))
  for (const [name, bytes] of [
    ['first', 60],
    ['second', 60],
    ['third', 30],
    ['small', 5],
  ] as const)
    void take(name, bytes)
  await new Promise(setImmediate)
  assert.deepEqual(entered.toSorted(), ['first', 'small'])
  budget.give(60)
  await new Promise(setImmediate)
  assert.deepEqual(entered.slice(2), ['second', 'third'])
})

test('an execution larger than the whole budget runs alone', async () => {
  const budget = createMemoryBudget({ maxBytes: 100, smallBytes: 5 })
  await budget.take(500)
  assert.equal(budget.isOver(), true)
  let isIn = false
  void budget.take(10).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  budget.give(500)
  await new Promise(setImmediate)
  assert.equal(isIn, true)
})
