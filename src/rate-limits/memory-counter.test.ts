import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryCounter } from './memory-counter.ts'

test('a window counts each subject separately, from one', () => {
  const count = memoryCounter(10)
  assert.deepEqual([count('a', 1), count('a', 1), count('b', 1), count('a', 2)], [1, 2, 1, 1])
})

test('past its bound it forgets the subject seen first', () => {
  const count = memoryCounter(2)
  for (const subject of ['a', 'b', 'c']) count(subject, 1)
  assert.equal(count('c', 1), 2)
  assert.equal(count('b', 1), 2)
  assert.equal(count('a', 1), 1)
})
