import assert from 'node:assert/strict'
import { test } from 'node:test'
import { egressOf } from './fixtures/loopback.ts'
import { allowList } from './public-address.ts'
import { readTarget } from './target.ts'

const strict = { allow: allowList([]), protocols: ['http:', 'https:'] as const }
const reason = (port: number) => `The URL cannot be called: port ${port} is not open to URLs.`

test('URLs may name 80, 443 and the ports from 1024 on, without those of other services', () => {
  for (const url of [
    'https://a.test/',
    'http://a.test/',
    'http://a.test:443/',
    'https://a.test:1024/',
    'https://8.8.8.8:8443/',
  ])
    assert.equal(readTarget(url, strict).kind, 'target', url)
  for (const port of [0, 1, 22, 25, 81, 465, 587, 1023, 2375, 2525, 3306, 5432, 6379, 6667, 11211]) {
    for (const host of ['a.test', '8.8.8.8', '[2606:4700:4700::1111]']) {
      assert.deepEqual(readTarget(`https://${host}:${port}/`, strict), { kind: 'refused', reason: reason(port) })
    }
  }
})

test('in networks that the operator opened, every port is open', () => {
  const rules = { ...strict, allow: allowList(['10.0.0.0/8', '127.0.0.0/8']) }
  for (const url of ['http://10.1.2.3:25/', 'http://localhost:6379/', 'http://127.0.0.1:22/'])
    assert.equal(readTarget(url, rules).kind, 'target', url)
  assert.equal(readTarget('http://8.8.8.8:25/', rules).kind, 'refused')
})

test('the ports of a name are checked once it is looked up', async () => {
  const call = (address: string) =>
    egressOf({ resolve: async () => [{ address, family: 4 }] }).call('http://mail.example:25/', { timeoutMs: 500 })
  assert.deepEqual(await call('8.8.8.8'), { kind: 'refused', reason: reason(25) })
  // The test does not depend on whether a server answers there.
  assert.notEqual((await call('127.0.0.1')).kind, 'refused')
})
