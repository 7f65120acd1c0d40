import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { allowList, mayReach } from './public-address.ts'

const none = allowList([])

const open = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001::1 2003::1 64:ff9b::8.8.8.8
`

const closed = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.254 169.254.0.1 169.254.169.254
  172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1
  192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
  64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b::1:7f00:1 64:ff9b:1::1 100::1 2001::1 2001:0:53aa:64c::1 2001:2::1 2001:10::1 2001:20::1
  2001:db8::1 2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1 3fff::1 4000::1 5f00::1 fc00::1 fd12:3456::1 fe80::1
  fe80::1%eth0 fec0::1 ff02::1 ff0e::1
`

const list = (text: string) => text.trim().split(/\s+/)

for (const address of list(open)) test(`${address} may be reached`, () => assert.equal(mayReach(address, none), true))

for (const address of list(closed))
  test(`${address} may not be reached`, () => assert.equal(mayReach(address, none), false))

test('a text that is not an address may not be reached', () => {
  for (const text of ['', 'localhost', 'example.com', '1.2.3.4.5', '1.2.3.4/8', '[::1]'])
    assert.equal(mayReach(text, none), false)
})

test('an allowed network of NAT64 addresses opens no private address behind it', () => {
  assert.equal(mayReach('64:ff9b::10.0.0.1', allowList(['64:ff9b::/96'])), false)
})

test('an allowed network opens its own addresses and no others', () => {
  const allow = allowList(['127.0.0.0/8', '10.1.2.3/32', 'fd00:1::/32'])
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd00:1::5', '8.8.8.8']) {
    assert.equal(mayReach(address, allow), true, address)
  }
  for (const address of [
    '10.1.2.4',
    '192.168.0.1',
    '::1',
    '::7f00:1',
    'fd00:2::5',
    '64:ff9b::10.1.2.4',
    '2002:7f00:1::',
  ]) {
    assert.equal(mayReach(address, allow), false, address)
  }
})

propertyTest('an IPv6 address that embeds an IPv4 address opens it for a NAT64 only, and if it is public', () => {
  const hex = (bytes: number[]) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  forAll({ always: 100 }, fc.ipV4(), (address) => {
    const text = hex(address.split('.').map(Number))
    const embedded = `${text.slice(0, 4)}:${text.slice(4)}`
    for (const form of [`::${embedded}`, `::ffff:${embedded}`, `2002:${embedded}::1`, `2001:0:${embedded}::1`]) {
      assert.equal(mayReach(form, none), false, form)
    }
    assert.equal(mayReach(`64:ff9b::${embedded}`, none), mayReach(address, none), address)
  })
})
