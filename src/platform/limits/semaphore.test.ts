import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore } from './semaphore.ts'

const full = () => new Error('full')

test('a semaphore runs work up to its limit, queues some in order, and refuses the rest at once', async () => {
  const semaphore = createSemaphore({ runningMax: 2, waitingMax: 3 })
  const finish: (() => void)[] = []
  const started: number[] = []
  const work = (id: number) => () =>
    new Promise<number>((resolve) => {
      started.push(id)
      finish[id] = () => resolve(id)
    })
  const answers = [0, 1, 2, 3, 4].map((id) => semaphore.run(work(id), full))
  await assert.rejects(semaphore.run(work(5), full), /full/)
  assert.deepEqual(started, [0, 1])
  for (const id of [1, 0, 2, 3, 4]) {
    finish[id]!()
    assert.equal(await answers[id], id)
    await new Promise(setImmediate)
  }
  assert.deepEqual(started, [0, 1, 2, 3, 4])
})

test('work that fails frees its slot', async () => {
  const semaphore = createSemaphore({ runningMax: 1, waitingMax: 0 })
  for (let time = 0; time < 3; time++) {
    await assert.rejects(
      semaphore.run(() => Promise.reject(new Error('broken')), full),
      /broken/,
    )
  }
  assert.equal(await semaphore.run(async () => 'free', full), 'free')
})

test('waiting work is limited in bytes and in time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const semaphore = createSemaphore({ runningMax: 1, waitingMax: 10, waitingBytesMax: 100, waitMs: 5000 })
  const leave = await semaphore.enter()
  const waiting = semaphore.enter(80)
  assert.equal(await semaphore.enter(21), null)
  t.mock.timers.tick(5000)
  assert.equal(await waiting, null)
  const next = semaphore.enter(100)
  leave!()
  assert.ok(await next)
})
