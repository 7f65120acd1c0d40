import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from './slots.ts'

function scene(max: number) {
  const slots = createSlots(max)
  const entered: string[] = []
  const leaving: (() => void)[] = []
  const come = (teamId: string, name = teamId) =>
    slots.take(teamId, (leave) => {
      entered.push(name)
      leaving.push(leave)
    })
  return { entered, leaving, come, slots }
}

test('one team gets as many slots as it leaves free, and another finds one at once', () => {
  const { entered, come } = scene(10)
  for (let count = 0; count < 100; count++) come('flood')
  assert.equal(entered.length, 5)
  come('other')
  assert.equal(entered.at(-1), 'other')
})

test('ten thousand who leave as they come are let through', () => {
  const { leaving, come, slots } = scene(2)
  come('held')
  let passed = 0
  for (let count = 0; count < 10_000; count++) {
    slots.take('held', (leave) => {
      passed++
      leave()
    })
  }
  assert.equal(passed, 0)
  leaving.shift()!()
  assert.equal(passed, 10_000)
})

test('those who wait are let in one team after the other, and within a team in their order', () => {
  const { entered, leaving, come } = scene(2)
  for (const name of ['a1', 'a2', 'a3']) come('a', name)
  for (const name of ['b1', 'b2']) come('b', name)
  come('c', 'c1')
  assert.deepEqual(entered, ['a1', 'b1'])
  while (leaving.length > 0) leaving.shift()!()
  assert.deepEqual(entered.toSorted(), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
  assert.ok(entered.indexOf('c1') < entered.indexOf('a3'), entered.join(' '))
  assert.ok(entered.indexOf('a2') < entered.indexOf('a3'))
})
