import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import net from 'node:net'
import { test } from 'node:test'
import { patienceMs, promptMs } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { runInsideTransaction } from '../transaction/inside.ts'
import { egressOf, listen, serve } from './fixtures/loopback.ts'

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

test('only the beginning of an endless body is read', async () => {
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
  const deadline = Date.now() + patienceMs
  while (!closed && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
  assert(closed, 'the connection stays open')
})

test('a body of exactly the bound is whole', async () => {
  const port = await serve((_request, response) => void response.end('x'.repeat(1000)))
  const result = await egress.call(`http://127.0.0.1:${port}/`, { bodyMaxBytes: 1000 })
  assert(result.kind === 'answered')
  assert.deepEqual([result.body.length, result.truncated], [1000, false])
})

slowTest('the time limit holds for headers and for bodies that do not end', async () => {
  const silent = await serve(() => undefined)
  const slow = await serve((_request, response) => {
    response.write('x')
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  })
  // A busy machine needs a moment until the request has left.
  const ask = (port: number) => egress.call(`http://127.0.0.1:${port}/`, { timeoutMs: 1500 })
  for (const result of await Promise.all([silent, slow].map(ask)))
    assert.deepEqual(result, { kind: 'failed', reason: 'There was no whole answer within 1500 ms.', hasLeft: true })
})

test('a fault of the peer is a value, not an exception', async () => {
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
    { kind: 'failed', reason: 'The connection was cut.', hasLeft: true },
    { kind: 'failed', reason: 'The answer is not HTTP.', hasLeft: true },
    { kind: 'failed', reason: 'The connection was cut.', hasLeft: true },
    { kind: 'failed', reason: 'The headers of the answer are too large.', hasLeft: true },
  ])
  assert.equal((await egress.call(`https://127.0.0.1:${gone}/`, { timeoutMs: 60 })).kind, 'failed')
  const closing = net.createServer()
  const port = await listen(closing)
  await new Promise((resolve) => closing.close(resolve))
  assert.deepEqual(await egress.call(`http://127.0.0.1:${port}/`), {
    kind: 'failed',
    reason: 'The host takes no connection on this port.',
    hasLeft: false,
  })
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

slowTest('a slow host does not delay others', async () => {
  const held = new Set<ServerResponse>()
  let isHeld = true
  const slow = await serve((_request, response) => void (isHeld ? held.add(response) : response.end()))
  const quick = await serve((_request, response) => void response.end('quick'))
  const call = (port: number) => egress.call(`http://127.0.0.1:${port}/`, { timeoutMs: promptMs })
  let ended = 0
  const pending = Array.from({ length: 100 }, () => call(slow).finally(() => ended++))
  const results = await Promise.all(Array.from({ length: 50 }, () => call(quick)))
  assert(results.every((result) => result.kind === 'answered'))
  assert.equal(ended, 0)
  isHeld = false
  for (const response of held) response.end()
  await Promise.all(pending)
})

test('a call inside a transaction is a bug and throws', async () => {
  await assert.rejects(
    runInsideTransaction(() => egress.call('http://127.0.0.1/')),
    /inside a transaction/,
  )
})
