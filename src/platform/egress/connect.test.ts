import assert from 'node:assert/strict'
import https from 'node:https'
import { test } from 'node:test'
import { egressOf, fixture, listen, serve } from './fixtures/loopback.ts'

const egress = egressOf()

test('loopback is refused unless it is allowed', async () => {
  let requests = 0
  const port = await serve((_request, response) => {
    requests++
    response.end()
  })
  const strict = egressOf({ allow: [] })
  for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', 'a.localhost']) {
    assert.equal((await strict.call(`http://${host}:${port}/`)).kind, 'refused', host)
  }
  assert.equal(requests, 0)
  assert.equal((await egress.call(`http://localhost:${port}/`)).kind, 'answered')
})

test('a request to this machine needs no permission, and only it may use its connection', async () => {
  const port = await serve((_request, response) => void response.end())
  const strict = egressOf({ allow: [], resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.1']) {
    assert.equal((await strict.call(`http://${host}:${port}/`, { toLoopback: true })).kind, 'answered', host)
    assert.equal((await strict.call(`http://${host}:${port}/`)).kind, 'refused', host)
  }
  for (const host of ['leads-here.example', 'a.localhost', '10.0.0.1', '8.8.8.8', '[::]'])
    assert.equal((await strict.call(`http://${host}:${port}/`, { toLoopback: true })).kind, 'refused', host)
})

test('a request to public addresses alone is refused where the operator allows others, and shares no connection', async () => {
  const port = await serve((_request, response) => void response.end())
  const allowing = egressOf({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  for (const host of ['127.0.0.1', 'localhost', 'leads-here.example', '127.0.0.1']) {
    assert.equal((await allowing.call(`http://${host}:${port}/`)).kind, 'answered', host)
    assert.equal((await allowing.call(`http://${host}:${port}/`, { toPublic: true })).kind, 'refused', host)
  }
})

test('a name whose addresses are not all public is refused, and the answer does not say which they are', async () => {
  let requests = 0
  const port = await serve((_request, response) => {
    requests++
    response.end()
  })
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '10.0.0.1'],
    ['::1'],
    ['::7f00:1'],
    ['64:ff9b::7f00:1'],
    ['fe80::1%eth0'],
  ]) {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const result = await egressOf({ allow: [], resolve }).call(`http://inside.example:${port}/`)
    const reason = 'The URL cannot be called: inside.example resolves to an address that is not public.'
    assert.deepEqual(result, { kind: 'refused', reason }, addresses.join())
  }
  assert.equal(requests, 0)
})

test('a name that resolves to another address the second time is not connected to that address', async () => {
  const hosts: (string | undefined)[] = []
  const port = await serve((request, response) => {
    hosts.push(request.headers.host)
    response.setHeader('connection', 'close').end()
  })
  const answers = ['127.0.0.1', '127.0.0.2', '10.0.0.1']
  let lookups = 0
  const resolve = async () => [{ address: answers[lookups++] ?? '10.0.0.1', family: 4 }]
  const rebound = egressOf({ allow: ['127.0.0.1/32'], resolve })
  const first = await rebound.call(`http://rebind.example:${port}/`)
  // There is one lookup for each connection, so the address that was checked is the one that is used.
  assert.deepEqual([first.kind, lookups, hosts], ['answered', 1, [`rebind.example:${port}`]])
  assert.equal((await rebound.call(`http://rebind.example:${port}/`)).kind, 'refused')
  assert.equal((await rebound.call(`http://rebind.example:${port}/`)).kind, 'refused')
  assert.equal(hosts.length, 1)
})

test('a name that cannot be looked up is a failure, not a refusal', async () => {
  const fail = (code: string) => async () => Promise.reject(Object.assign(new Error('lookup'), { code }))
  const url = 'http://nowhere.example/'
  assert.deepEqual(await egressOf({ resolve: fail('ENOTFOUND') }).call(url), {
    kind: 'failed',
    reason: 'The host has no address.',
    hasLeft: false,
  })
  assert.equal((await egressOf({ resolve: fail('EAI_AGAIN') }).call(url)).kind, 'failed')
  assert.equal((await egressOf({ resolve: async () => [] }).call(url)).kind, 'failed')
  const never = egressOf({ resolve: () => new Promise(() => undefined) })
  assert.equal((await never.call(url, { timeoutMs: 50 })).kind, 'failed')
})

test('a certificate must be valid for the name and from a trusted authority', async () => {
  const port = await listen(
    https.createServer(
      { key: fixture('key'), cert: fixture('cert') },
      (_request, response) => void response.end('safe'),
    ),
  )
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const trusting = egressOf({ resolve, ca: fixture('cert') })
  const answered = await trusting.call(`https://hooks.example:${port}/`)
  assert.equal(answered.kind === 'answered' && answered.body.toString(), 'safe')
  const otherName = await trusting.call(`https://other.example:${port}/`)
  const strangers = await egressOf({ resolve }).call(`https://hooks.example:${port}/`)
  for (const result of [otherName, strangers]) {
    assert(result.kind === 'failed')
    assert.match(result.reason, /^No secure connection could be made: /)
  }
})
