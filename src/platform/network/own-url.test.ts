import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownUrlOf } from './own-url.ts'

const publicUrl = () => 'https://mail.example.com'

function ownUrl(address: string | null, roles = ['api', 'worker']): string {
  return ownUrlOf({ roles }, () => address && { address, port: 3000, family: 'IPv4' }, publicUrl)()
}

test('a process calls itself at the address it listens on, or at the loopback if it listens on all', () => {
  assert.equal(ownUrl('127.0.0.1'), 'http://127.0.0.1:3000')
  assert.equal(ownUrl('0.0.0.0'), 'http://127.0.0.1:3000')
  assert.equal(ownUrl('::'), 'http://[::1]:3000')
  assert.equal(ownUrl('192.0.2.7'), 'http://192.0.2.7:3000')
  assert.equal(ownUrl('::1'), 'http://[::1]:3000')
})

test('a process that serves no API, or listens nowhere, uses the public address', () => {
  assert.equal(ownUrl('127.0.0.1', ['worker']), publicUrl())
  assert.equal(ownUrl(null), publicUrl())
})
