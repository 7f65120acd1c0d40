import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './gather.ts'

test('the items of one flush weigh at most the limit, and a heavier item is flushed alone', async () => {
  const flushed: number[][] = []
  const put = gather(
    async (items: number[]) => {
      flushed.push(items)
      return items
    },
    { itemsMax: 3, flushesMax: 1, weigh: (item) => item, weightMax: 10 },
  )
  const items = [1, 2, 3, 4, 6, 5, 50, 9, 1, 1]
  assert.deepEqual(await Promise.all(items.map(put)), items)
  assert.deepEqual(flushed, [[1, 2, 3], [4, 6], [5], [50], [9, 1], [1]])
})
