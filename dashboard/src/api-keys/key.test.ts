import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfDay } from './key.ts'

test('a key expires at the end of the day, and a year of five digits is left for the server to refuse', () => {
  assert.equal(endOfDay(''), null)
  assert.equal(endOfDay('2031-01-31'), new Date(2031, 0, 31, 23, 59, 59).toISOString())
  assert.equal(endOfDay('20266-01-01'), '20266-01-01T23:59:59')
})
