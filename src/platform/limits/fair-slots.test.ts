import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairSlots, type FairSlots, type Slot } from './fair-slots.ts'

/** Begins `count` pieces of work of a team and collects those that got a slot, in order. */
function crowd(slots: FairSlots, order: string[], teamId: string, count: number): Promise<Slot>[] {
  return Array.from({ length: count }, async () => {
    const slot = await slots.enter(teamId)
    if ('leave' in slot) order.push(teamId)
    return slot
  })
}

function leave(slot: Slot): void {
  assert.ok('leave' in slot)
  slot.leave()
}

test('a team may have as many slots as it leaves free', async () => {
  const slots = createFairSlots({ slotsMax: 8 })
  const order: string[] = []
  void crowd(slots, order, 'greedy', 100)
  await new Promise(setImmediate)
  assert.equal(order.length, 4)
  void crowd(slots, order, 'second', 100)
  await new Promise(setImmediate)
  assert.equal(order.length, 6)
})

test('waiting teams take turns, even if one of them has much waiting work', async () => {
  const slots = createFairSlots({ slotsMax: 2, teamSlotsMax: 2 })
  const order: string[] = []
  const greedy = crowd(slots, order, 'greedy', 50)
  await new Promise(setImmediate)
  void crowd(slots, order, 'modest', 1)
  leave(await greedy[0]!)
  leave(await greedy[1]!)
  await new Promise(setImmediate)
  assert.deepEqual(order, ['greedy', 'greedy', 'greedy', 'modest'])
})

test('a refusal says whether the team or all teams together are at their limit', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = createFairSlots({ slotsMax: 2, teamSlotsMax: 1, teamWaitingMax: 1, waitMs: 1000 })
  const running = await slots.enter('a')
  const waiting = slots.enter('a')
  assert.deepEqual(await slots.enter('a'), { refused: 'team' })
  const other = await slots.enter('b')
  const third = slots.enter('c')
  t.mock.timers.tick(1000)
  assert.deepEqual([await waiting, await third], [{ refused: 'team' }, { refused: 'all' }])
  for (const slot of [running, other]) leave(slot)
  leave(await slots.enter('c'))
})
