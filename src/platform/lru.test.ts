import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLru } from './lru.ts'

const cacheOf = (countMax: number, bytesMax: number) =>
  createLru<string>({ countMax, bytesMax, bytesOf: (text) => text.length })

test('a cache holds at most its number of entries and forgets the one used longest ago', () => {
  const cache = cacheOf(2, 10_000)
  for (const key of ['a', 'b']) cache.set(key, key)
  cache.get('a')
  cache.set('c', 'c')
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['a', undefined, 'c'])
  assert.equal(cache.size().count, 2)
})

test('a cache holds at most its number of bytes', () => {
  const cache = cacheOf(1000, 5000)
  for (let n = 0; n < 1000; n++) {
    cache.set(`key ${n}`, 'x'.repeat(n))
    assert(cache.size().bytes <= 5000)
  }
  assert(cache.size().count >= 1)
})

test('an entry larger than the whole cache is not kept and removes no other entry', () => {
  const cache = cacheOf(1000, 1000)
  cache.set('small', 'x')
  cache.set('large', 'x'.repeat(1001))
  assert.deepEqual([cache.get('small'), cache.get('large')], ['x', undefined])
})

test('an entry that is replaced or deleted no longer counts', () => {
  const cache = cacheOf(10, 1000)
  cache.set('a', 'x'.repeat(500))
  cache.set('a', 'x')
  const { bytes } = cache.size()
  assert(bytes < 200)
  cache.delete('a')
  cache.delete('b')
  assert.deepEqual(cache.size(), { count: 0, bytes: 0 })
})
