import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOneAtATime } from './one-at-a-time.ts'

test('work of one key runs one after the other, also after a failure, and other keys do not wait', async () => {
  const inTurn = createOneAtATime()
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const failing = inTurn('a', async () => {
    await first.promise
    throw new Error('broken')
  })
  const second = inTurn('a', async () => order.push('second'))
  await inTurn('b', async () => order.push('other'))
  first.resolve()
  await assert.rejects(failing, /broken/)
  await second
  assert.deepEqual(order, ['other', 'second'])
})
