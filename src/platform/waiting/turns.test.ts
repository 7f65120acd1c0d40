import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { takeTurn } from './turns.ts'

test('one piece of work begins in each turn of the event loop, in the order of the calls', async () => {
  const begun: number[] = []
  const works = [1, 2, 3].map((work) => takeTurn().then(() => begun.push(work)))
  const seen: number[][] = []
  for (let turn = 0; turn < 4; turn++) {
    await setImmediate()
    seen.push([...begun])
  }
  await Promise.all(works)
  assert.deepEqual(seen, [[1], [1, 2], [1, 2, 3], [1, 2, 3]])
})
