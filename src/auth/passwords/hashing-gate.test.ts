import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from './hashing-gate.ts'

test('so many run, so many wait their turn in order, and the rest is refused at once', async () => {
  const gate = createGate({ runningMax: 2, waitingMax: 3 })
  const finish: (() => void)[] = []
  const started: number[] = []
  const work = (id: number) => () =>
    new Promise<number>((resolve) => {
      started.push(id)
      finish[id] = () => resolve(id)
    })
  const answers = [0, 1, 2, 3, 4].map((id) => gate(work(id)))
  await assert.rejects(gate(work(5)), { kind: 'unavailable' })
  assert.deepEqual(started, [0, 1])
  for (const id of [1, 0, 2, 3, 4]) {
    finish[id]!()
    assert.equal(await answers[id], id)
  }
  assert.deepEqual(started, [0, 1, 2, 3, 4])
})

test('work that fails gives its place back', async () => {
  const gate = createGate({ runningMax: 1, waitingMax: 0 })
  for (let time = 0; time < 3; time++) {
    await assert.rejects(
      gate(() => Promise.reject(new Error('broken'))),
      /broken/,
    )
  }
  assert.equal(await gate(async () => 'free'), 'free')
})
