import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NameError } from '../names/ask-dns.ts'
import { isDatabaseGone } from './gone.ts'

test('errors of the network on the way to the database count as a database out of reach', () => {
  for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', '57P01', '25006'])
    assert.equal(isDatabaseGone(Object.assign(new Error('failed'), { code })), true, code)
})

test('a failed lookup of another host does not count as a database out of reach', () => {
  assert.equal(isDatabaseGone(new NameError('shop.test', 'EAI_AGAIN')), false)
})
