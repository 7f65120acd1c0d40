import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailHostOf, recordsOf } from './records.ts'

const domain = {
  name: 'shop.com',
  ...{ dkim_public_key: 'MIIB', dkim_selector: 'posthorn' as const },
  ...{ dkim_next_public_key: null, dkim_old_public_key: null },
  custom_return_path: null,
  click_tracking: false,
  open_tracking: false,
  record_statuses: {},
}

test('a domain asks for DKIM, and for SPF and MX on its return path', () => {
  assert.deepEqual(recordsOf(domain, 'mail.example.com'), [
    {
      key: 'dkim',
      type: 'txt',
      name: 'posthorn._domainkey.shop.com',
      value: 'v=DKIM1; k=rsa; p=MIIB',
      priority: null,
      status: 'pending',
    },
    {
      key: 'spf',
      type: 'txt',
      name: 'send.shop.com',
      value: 'v=spf1 a:mail.example.com ~all',
      priority: null,
      status: 'pending',
    },
    { key: 'mx', type: 'mx', name: 'send.shop.com', value: 'mail.example.com', priority: 10, status: 'pending' },
  ])
})

test('a custom return path moves SPF and MX; tracking of either kind asks for one cname', () => {
  const both = recordsOf(
    { ...domain, custom_return_path: 'bounce', click_tracking: true, open_tracking: true },
    'mail.example.com',
  )
  assert.deepEqual(both.map(({ type, name, value }) => [type, name, value]).slice(1), [
    ['txt', 'bounce.shop.com', 'v=spf1 a:mail.example.com ~all'],
    ['mx', 'bounce.shop.com', 'mail.example.com'],
    ['cname', 'track.shop.com', 'mail.example.com'],
  ])
})

test('the mail host is that of PUBLIC_URL; an address is named as SPF names addresses', () => {
  assert.equal(mailHostOf({ publicUrl: 'https://Mail.example.com:8443/base' }), 'mail.example.com')
  assert.equal(mailHostOf({ publicUrl: null }), 'localhost')
  const spfOf = (publicUrl: string) => recordsOf(domain, mailHostOf({ publicUrl }))[1]!.value
  assert.equal(spfOf('http://192.0.2.1:3000'), 'v=spf1 ip4:192.0.2.1 ~all')
  assert.equal(spfOf('http://[2001:db8::1]:3000'), 'v=spf1 ip6:2001:db8::1 ~all')
})
