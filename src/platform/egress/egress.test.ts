import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { runInsideTransaction } from '../inside.ts'
import { createEgress, type EgressOptions, type EgressRequest } from './egress.ts'

const fixture = (name: string) => readFileSync(new URL(`fixtures/localhost.${name}.pem`, import.meta.url), 'utf8')
const loopback = ['127.0.0.0/8']

function egressOf(options: Partial<EgressOptions> = {}) {
  const egress = createEgress({ allow: loopback, ...options })
  after(() => egress.close())
  const call = (url: string, more: Partial<EgressRequest> = {}) =>
    egress.request({ url, method: 'GET', timeoutMs: 5000, bodyMaxBytes: 1000, ...more })
  return { ...egress, call }
}

async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    if (server instanceof http.Server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const serve = (listener: RequestListener) => listen(http.createServer(listener))

const egress = egressOf()

test('a request arrives as it was made, and its answer comes back whole', async () => {
  const port = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.writeHead(201, { 'X-Two': ['a', 'b'] })
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        shop: request.headers['x-shop'],
        body: Buffer.concat(chunks).toString(),
      }),
    )
  })
  const result = await egress.call(`http://127.0.0.1:${port}/a%20b?c=d#e`, {
    method: 'POST',
    headers: { 'X-Shop': '1' },
    body: 'hällo',
  })
  assert(result.kind === 'answered')
  assert.equal(result.status, 201)
  assert.equal(result.headers['x-two'], 'a, b')
  assert.equal(result.truncated, false)
  assert.deepEqual(JSON.parse(result.body.toString()), { method: 'POST', url: '/a%20b?c=d', shop: '1', body: 'hällo' })
})

test('a redirect is an answer and is not followed', async () => {
  let requests = 0
  const port = await serve((_request, response) => {
    requests++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const result = await egress.call(`http://127.0.0.1:${port}/`)
  assert(result.kind === 'answered')
  assert.deepEqual([result.status, result.headers.location, requests], [302, '/elsewhere', 1])
})

test('of a body without end only the beginning is read', async () => {
  let closed = false
  const port = await serve((_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(600)), 1)
    response.on('close', () => {
      clearInterval(timer)
      closed = true
    })
  })
  const result = await egress.call(`http://127.0.0.1:${port}/`, { bodyMaxBytes: 1000 })
  assert(result.kind === 'answered')
  assert.deepEqual([result.status, result.body.length, result.truncated], [200, 1000, true])
  const deadline = Date.now() + 2000
  while (!closed && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
  assert(closed, 'the connection stays open')
})

test('a body of exactly the bound is whole', async () => {
  const port = await serve((_request, response) => void response.end('x'.repeat(1000)))
  const result = await egress.call(`http://127.0.0.1:${port}/`, { bodyMaxBytes: 1000 })
  assert(result.kind === 'answered')
  assert.deepEqual([result.body.length, result.truncated], [1000, false])
})

test('time is bounded whether the headers or the body do not end', async () => {
  const silent = await serve(() => undefined)
  const slow = await serve((_request, response) => {
    response.write('x')
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  })
  for (const port of [silent, slow]) {
    const result = await egress.call(`http://127.0.0.1:${port}/`, { timeoutMs: 60 })
    assert.deepEqual(result, { kind: 'failed', reason: 'There was no whole answer within 60 ms.' })
  }
})

test('what a peer does wrong is a value', async () => {
  const gone = await listen(net.createServer())
  const cut = await listen(net.createServer((socket) => socket.once('data', () => socket.destroy())))
  const garbage = await listen(net.createServer((socket) => socket.once('data', () => socket.end('hello\r\n\r\n'))))
  const half = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x')
    setTimeout(() => response.destroy(), 10)
  })
  const bloated = await serve(
    (_request, response) => void response.writeHead(200, { 'x-big': 'x'.repeat(50_000) }).end(),
  )
  const results = await Promise.all(
    [cut, garbage, half, bloated].map((port) => egress.call(`http://127.0.0.1:${port}/`)),
  )
  assert.deepEqual(results, [
    { kind: 'failed', reason: 'The connection was cut.' },
    { kind: 'failed', reason: 'The answer is not HTTP.' },
    { kind: 'failed', reason: 'The connection was cut.' },
    { kind: 'failed', reason: 'The headers of the answer are too large.' },
  ])
  assert.equal((await egress.call(`https://127.0.0.1:${gone}/`, { timeoutMs: 60 })).kind, 'failed')
  const closing = net.createServer()
  const port = await listen(closing)
  await new Promise((resolve) => closing.close(resolve))
  assert.deepEqual(await egress.call(`http://127.0.0.1:${port}/`), {
    kind: 'failed',
    reason: 'The host takes no connection on this port.',
  })
})

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

test('a name that resolves to another address the second time gains nothing', async () => {
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
  // One lookup for one connection: what was checked is what is connected to.
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
  })
  assert.equal((await egressOf({ resolve: fail('EAI_AGAIN') }).call(url)).kind, 'failed')
  assert.equal((await egressOf({ resolve: async () => [] }).call(url)).kind, 'failed')
  const never = egressOf({ resolve: () => new Promise(() => undefined) })
  assert.equal((await never.call(url, { timeoutMs: 50 })).kind, 'failed')
})

test('a certificate must be one for the name, from an authority that is trusted', async () => {
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

test('headers that would break the request are refused and nothing is sent', async () => {
  let requests = 0
  const port = await serve((_request, response) => {
    requests++
    response.end()
  })
  const broken: Record<string, string>[] = [
    { 'X-A': 'a\r\nX-B: b' },
    { 'X A': 'a' },
    { 'Transfer-Encoding': 'chunked' },
    { 'X-A': '\0' },
  ]
  for (const headers of broken) {
    const result = await egress.call(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers,
      body: 'x',
    })
    assert.equal(result.kind, 'refused', JSON.stringify(headers))
  }
  assert.equal(requests, 0)
})

test('a slow host delays no other', async () => {
  const slow = await serve(() => undefined)
  const quick = await serve((_request, response) => void response.end('quick'))
  const pending = Array.from({ length: 100 }, () => egress.call(`http://127.0.0.1:${slow}/`, { timeoutMs: 300 }))
  const results = await Promise.all(
    Array.from({ length: 50 }, () => egress.call(`http://127.0.0.1:${quick}/`, { timeoutMs: 250 })),
  )
  assert(results.every((result) => result.kind === 'answered'))
  assert((await Promise.all(pending)).every((result) => result.kind === 'failed'))
})

test('a call inside a transaction is a bug and throws', async () => {
  await assert.rejects(
    runInsideTransaction(() => egress.call('http://127.0.0.1/')),
    /inside a transaction/,
  )
})
