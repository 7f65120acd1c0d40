import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenOf } from './link-token.ts'

test('the token of a link is in its query or behind #', () => {
  assert.equal(tokenOf('?token=a-b_c', ''), 'a-b_c')
  assert.equal(tokenOf('', '#token=a-b_c'), 'a-b_c')
  assert.equal(tokenOf('', ''), '')
})
