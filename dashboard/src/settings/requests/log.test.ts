import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLogged, readStatus } from './log.ts'

test('the log holds a request for seven days', () => {
  const at = '2026-01-01T12:00:00.000Z'
  assert.equal(isLogged(at, new Date('2026-01-08T11:59:59.000Z')), true)
  assert.equal(isLogged(at, new Date('2026-01-08T12:00:00.000Z')), false)
})

test('a text that is no status filters nothing, and has a fault', () => {
  assert.deepEqual(readStatus('422'), { status: '422' })
  assert.deepEqual(readStatus(undefined), {})
  for (const text of ['4xx', 'abc', '42', '4220', '700']) {
    const { status, fault } = readStatus(text)
    assert.equal(status, undefined)
    assert.match(fault ?? '', /such as 422/)
  }
})
