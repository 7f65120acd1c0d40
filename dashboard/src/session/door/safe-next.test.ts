import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNext } from './safe-next.ts'

test('after signing in one is led to paths of the dashboard only', () => {
  assert.equal(safeNext('/emails?search=a#b'), '/emails?search=a#b')
  assert.equal(safeNext('/app/emails'), '/emails')
  for (const elsewhere of [
    undefined,
    '',
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/a b',
    'javascript:x',
    '/a\\b',
    '/app//evil.test',
    '/..//evil.test',
    '/app/..//evil.test',
  ])
    assert.equal(safeNext(elsewhere), '/', String(elsewhere))
})
