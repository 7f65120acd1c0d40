import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

test('an IPv6 client counts as its /64, and an IPv4 client as its address in any spelling', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::1'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('fe80::1%eth0'), networkOf('fe80::2%eth0'))
})

test('a text that is not an address stays as it is', () => {
  assert.equal(networkOf('unix:'), 'unix:')
  assert.equal(networkOf(''), '')
})
