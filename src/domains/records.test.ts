import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../context.ts'
import { dnsTargetsOf, mailHostOf, recordsOf } from './records.ts'

const targets = { host: 'mail.example.com', spf: 'a:mail.example.com', mx: 'mail.example.com' }

const domain = {
  name: 'shop.com',
  ...{ dkim_public_key: 'MIIB', dkim_selector: 'posthorn' as const },
  ...{ dkim_next_public_key: null, dkim_old_public_key: null },
  custom_return_path: null,
  click_tracking: false,
  open_tracking: false,
  record_statuses: {},
}

test('a domain needs DKIM, and SPF and MX on its return path', () => {
  assert.deepEqual(recordsOf(domain, targets), [
    {
      key: 'dkim',
      type: 'txt',
      name: 'posthorn._domainkey.shop.com',
      value: 'v=DKIM1; k=rsa; p=MIIB',
      priority: null,
      status: 'pending',
      isLookedUp: true,
    },
    {
      key: 'spf',
      type: 'txt',
      name: 'send.shop.com',
      value: 'v=spf1 a:mail.example.com ~all',
      priority: null,
      status: 'pending',
      isLookedUp: true,
    },
    {
      key: 'mx',
      type: 'mx',
      name: 'send.shop.com',
      value: 'mail.example.com',
      priority: 10,
      status: 'pending',
      isLookedUp: true,
    },
  ])
})

test('a custom return path moves SPF and MX, and tracking of either kind adds one cname', () => {
  const both = recordsOf(
    { ...domain, custom_return_path: 'bounce', click_tracking: true, open_tracking: true },
    targets,
  )
  assert.deepEqual(both.map(({ type, name, value }) => [type, name, value]).slice(1), [
    ['txt', 'bounce.shop.com', 'v=spf1 a:mail.example.com ~all'],
    ['mx', 'bounce.shop.com', 'mail.example.com'],
    ['cname', 'track.shop.com', 'mail.example.com'],
  ])
})

test('the mail host is the host of PUBLIC_URL, and SPF names an address as such', () => {
  assert.equal(mailHostOf({ publicUrl: 'https://Mail.example.com:8443/base' }), 'mail.example.com')
  assert.equal(mailHostOf({ publicUrl: null }), 'localhost')
  const spfOf = (publicUrl: string) => {
    const app = { config: { publicUrl }, providers: { email: { live: {} } } } as App
    return recordsOf(domain, dnsTargetsOf(app, { region: 'us-east-1' }))[1]!.value
  }
  assert.equal(spfOf('http://192.0.2.1:3000'), 'v=spf1 ip4:192.0.2.1 ~all')
  assert.equal(spfOf('http://[2001:db8::1]:3000'), 'v=spf1 ip6:2001:db8::1 ~all')
})
