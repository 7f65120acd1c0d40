import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDnsServer } from '../../../test/dns.ts'
import { pluck } from '../../../test/pluck.ts'
import { askDns } from './ask-dns.ts'

const dns = await startDnsServer()
const ask = (host: string) => askDns(host, { servers: [dns.address], tryTimeoutMs: 50 })

test('the addresses of both families are found, IPv4 first, with the shortest of their times to live', async () => {
  dns.publish([
    { type: 'aaaa', name: 'both.test', value: '2001:db8::1' },
    { type: 'a', name: 'both.test', value: '192.0.2.1' },
    { type: 'a', name: 'old.test', value: '192.0.2.2' },
  ])
  const { addresses, ttlSeconds } = await ask('both.test')
  assert.deepEqual(pluck(addresses, 'family'), [4, 6])
  assert.deepEqual([addresses[0]!.address, ttlSeconds], ['192.0.2.1', 60])
  assert.deepEqual((await ask('old.test')).addresses, [{ address: '192.0.2.2', family: 4 }])
})

test('silent or failing servers give no answer, which does not mean that the name is missing', async (context) => {
  context.after(() => dns.become('answering'))
  for (const mood of ['silent', 'failing'] as const) {
    dns.become(mood)
    await assert.rejects(ask('both.test'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' })
  }
})
