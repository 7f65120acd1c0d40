import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedCache } from './bounded-cache.ts'

const cacheOf = (countMax: number, bytesMax: number) =>
  boundedCache<string>({ countMax, bytesMax, bytesOf: (text) => text.length })

test('it holds at most so many entries, and the oldest one goes first', () => {
  const cache = cacheOf(2, 10_000)
  for (const key of ['a', 'b', 'c']) cache.set(key, key)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 'b', 'c'])
  assert.equal(cache.size().count, 2)
})

test('it holds at most so many bytes, whatever comes', () => {
  const cache = cacheOf(1000, 5000)
  for (let n = 0; n < 1000; n++) {
    cache.set(`key ${n}`, 'x'.repeat(n))
    assert(cache.size().bytes <= 5000)
  }
  assert(cache.size().count >= 1)
})

test('an entry larger than all of it is not kept, and takes no other entry away', () => {
  const cache = cacheOf(1000, 1000)
  cache.set('small', 'x')
  cache.set('large', 'x'.repeat(1001))
  assert.deepEqual([cache.get('small'), cache.get('large')], ['x', undefined])
})

test('an entry that is replaced or deleted counts no more', () => {
  const cache = cacheOf(10, 1000)
  cache.set('a', 'x'.repeat(500))
  cache.set('a', 'x')
  const { bytes } = cache.size()
  assert(bytes < 200)
  cache.delete('a')
  cache.delete('b')
  assert.deepEqual(cache.size(), { count: 0, bytes: 0 })
})
