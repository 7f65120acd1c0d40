import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback } from './loopback.ts'

test('only loopback addresses and localhost are loopback', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost', 'LocalHost'])
    assert(isLoopback(host), host)
  for (const host of [
    '128.0.0.1',
    '10.0.0.1',
    '::2',
    '::ffff:10.0.0.1',
    'localhost.test',
    '127.0.0.1.test',
    '',
    '0.0.0.0',
  ]) {
    assert(!isLoopback(host), host)
  }
})
