import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNext, withNext } from './safe-next.ts'

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

test('a link between the pages of the door keeps where to go on, and nothing that leads elsewhere', () => {
  assert.deepEqual(withNext('/app/emails?status=sent'), { next: '/emails?status=sent' })
  for (const next of [undefined, '/', '//evil.test']) assert.deepEqual(withNext(next), {})
})
