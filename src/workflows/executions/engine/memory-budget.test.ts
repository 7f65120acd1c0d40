import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryBudget } from './memory-budget.ts'

test('large executions wait in order until they fit, and small ones do not wait', async () => {
  const budget = createMemoryBudget({ maxBytes: 100, smallBytes: 5 })
  const entered: string[] = []
  const take = (name: string, bytes: number) => budget.take('a', bytes).then(() => entered.push(name))
  for (const [name, bytes] of [
    ['first', 60],
    ['second', 60],
    ['third', 30],
    ['small', 5],
  ] as const)
    void take(name, bytes)
  await new Promise(setImmediate)
  assert.deepEqual(entered.toSorted(), ['first', 'small'])
  budget.give('a', 60)
  await new Promise(setImmediate)
  assert.deepEqual(entered.slice(2), ['second', 'third'])
})

test('an execution larger than the whole budget runs alone', async () => {
  const budget = createMemoryBudget({ maxBytes: 100, smallBytes: 5 })
  await budget.take('a', 500)
  assert.equal(budget.isOver('a'), true)
  let isIn = false
  void budget.take('a', 10).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  budget.give('a', 500)
  await new Promise(setImmediate)
  assert.equal(isIn, true)
})

test('a team that uses up the budget holds up itself alone', async () => {
  const budget = createMemoryBudget({ maxBytes: 100, smallBytes: 5 })
  await budget.take('a', 60)
  await budget.take('b', 4)
  budget.grow('a', 60)
  assert.deepEqual(['a', 'b'].map(budget.isOver), [true, false])
  const entered: string[] = []
  for (const [teamId, bytes] of [
    ['a', 20],
    ['b', 20],
  ] as const)
    void budget.take(teamId, bytes).then(() => entered.push(teamId))
  budget.give('a', 50)
  await new Promise(setImmediate)
  assert.deepEqual(entered, ['b'])
  budget.give('a', 70)
  await new Promise(setImmediate)
  assert.deepEqual(entered, ['b', 'a'])
})
