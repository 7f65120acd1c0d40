import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saidIn } from './said.ts'

test('data that refers to itself or says nothing is read without an end', () => {
  const data: Record<string, unknown> = { type: 'x' }
  data.self = data
  assert.equal(saidIn(data, ['reason']), null)
})
