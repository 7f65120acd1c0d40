import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createBoundedQueue } from './bounded-queue.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a queue does not keep what was taken from it or has given up', async () => {
  const queue = createBoundedQueue<object>({ countMax: 10, waitMs: 1 })
  const addItem = () => {
    const item = { text: 'a message' }
    assert.ok(queue.add(item, 1, () => undefined))
    return new WeakRef(item)
  }
  const items = [addItem(), addItem()]
  assert.deepEqual(queue.take(), { text: 'a message' })
  while (queue.count > 0) await sleep(1)
  // A target stays until the end of the turn in which a reference to it was made.
  await setImmediate()
  collectGarbage()
  assert.deepEqual(
    items.map((item) => item.deref()),
    [undefined, undefined],
  )
})
