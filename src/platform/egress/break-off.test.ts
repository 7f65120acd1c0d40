import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import http, { type RequestListener } from 'node:http'
import net from 'node:net'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { egressOf, listen } from './fixtures/loopback.ts'

const egress = egressOf()
const brokenOff = (hasLeft: boolean) => ({ kind: 'failed', reason: 'The request was broken off.', hasLeft })

async function serveCounted(listener: RequestListener) {
  const server = http.createServer()
  const seen = { connections: 0, requests: 0, url: '' }
  server.on('connection', () => seen.connections++)
  server.on('request', () => seen.requests++)
  server.on('request', listener)
  seen.url = `http://127.0.0.1:${await listen(server)}/`
  return seen
}

/** Resolves when the socket closes. The peer may receive an error. */
function closeOf(socket: net.Socket): Promise<void> {
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

test('a request that is aborted ends at once and its connection is closed, before the answer and within it', async () => {
  for (const beginning of [null, 'the first half']) {
    const arrived = Promise.withResolvers<{ closed: Promise<void> }>()
    const peer = await serveCounted((request, response) => {
      if (beginning) response.write(beginning)
      arrived.resolve({ closed: closeOf(request.socket) })
    })
    const controller = new AbortController()
    const result = egress.call(peer.url, { signal: controller.signal })
    const { closed } = await arrived.promise
    controller.abort()
    assert.deepEqual(await result, brokenOff(true))
    await closed
  }
})

test('a body for which there is no room is read no further, and its connection is closed', async () => {
  const arrived = Promise.withResolvers<{ closed: Promise<void> }>()
  const peer = await serveCounted((request, response) => {
    response.write('x'.repeat(100))
    arrived.resolve({ closed: closeOf(request.socket) })
  })
  const asked: number[] = []
  const hasRoom = (sizeBytes: number) => asked.push(sizeBytes) === 0
  assert.deepEqual(await egress.call(peer.url, { hasRoom }), brokenOff(true))
  await (await arrived.promise).closed
  assert.deepEqual(asked, [100])
})

slowTest('aborted or timed out while a connection is made, a request ends the attempt too', async () => {
  const arrived = Promise.withResolvers<net.Socket>()
  // Accepts connections and sends nothing, so that no TLS handshake completes.
  const silent = net.createServer((socket) => arrived.resolve(socket.resume()))
  const url = `https://127.0.0.1:${await listen(silent)}/`
  const controller = new AbortController()
  const result = egress.call(url, { signal: controller.signal })
  const closed = closeOf(await arrived.promise)
  controller.abort()
  assert.deepEqual(await result, brokenOff(false))
  await closed
  const next = once(silent, 'connection')
  const late = egress.call(url, { timeoutMs: 1500 })
  const [socket] = (await next) as [net.Socket]
  const ended = closeOf(socket)
  const reason = 'There was no whole answer within 1500 ms.'
  assert.deepEqual(await late, { kind: 'failed', reason, hasLeft: false })
  await ended
})

test('aborted while its name is looked up, a request never connects', async () => {
  const peer = await serveCounted((_request, response) => void response.end())
  const asked = Promise.withResolvers<void>()
  const found = Promise.withResolvers<{ address: string; family: number }[]>()
  const resolve = () => {
    asked.resolve()
    return found.promise
  }
  const slow = egressOf({ resolve })
  const url = peer.url.replace('127.0.0.1', 'slow.example')
  const controller = new AbortController()
  const result = slow.call(url, { signal: controller.signal })
  await asked.promise
  controller.abort()
  assert.deepEqual(await result, brokenOff(false))
  found.resolve([{ address: '127.0.0.1', family: 4 }])
  assert.equal((await slow.call(url)).kind, 'answered')
  assert.deepEqual([peer.connections, peer.requests], [1, 1])
})

test('aborted while it waits for a connection, a request leaves the queue and the others go on', async () => {
  const first = Promise.withResolvers<http.ServerResponse>()
  const peer = await serveCounted((_request, response) => {
    if (peer.requests === 1) first.resolve(response)
    else response.end()
  })
  const narrow = egressOf({ connectionsPerOriginMax: 1 })
  const before = narrow.call(peer.url)
  const controller = new AbortController()
  const result = narrow.call(peer.url, { signal: controller.signal })
  const behind = narrow.call(peer.url)
  const held = await first.promise
  controller.abort()
  assert.deepEqual(await result, brokenOff(false))
  held.end()
  assert.deepEqual([(await before).kind, (await behind).kind], ['answered', 'answered'])
  assert.deepEqual([peer.connections, peer.requests], [1, 2])
})

test('with a signal that was aborted before, no request is made', async () => {
  let lookups = 0
  const watched = egressOf({
    resolve: async () => {
      lookups++
      return []
    },
  })
  const result = await watched.call('http://never.example/', { signal: AbortSignal.abort() })
  assert.deepEqual([result, lookups], [brokenOff(false), 0])
})

test('a signal that outlives its requests keeps no listener of them', async () => {
  const peer = await serveCounted((_request, response) => void response.end('x'.repeat(2000)))
  const { signal } = new AbortController()
  const gone = await listen(net.createServer((socket) => socket.destroy()))
  for (const [url, more] of [
    [peer.url, { bodyMaxBytes: 2000 }],
    [peer.url, { bodyMaxBytes: 10 }],
    [peer.url, { headers: { 'X A': 'refused' } }],
    [`http://127.0.0.1:${gone}/`, {}],
  ] as const) {
    await egress.call(url, { ...more, signal })
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  }
})

test('aborted after the answer, a request leaves its connection for the next one', async () => {
  const peer = await serveCounted((_request, response) => void response.end())
  const narrow = egressOf({ connectionsPerOriginMax: 1 })
  const controller = new AbortController()
  await narrow.call(peer.url, { signal: controller.signal })
  controller.abort()
  assert.equal((await narrow.call(peer.url)).kind, 'answered')
  assert.equal(peer.connections, 1)
})

test('aborted while the client closes, a request still answers with a value', async () => {
  const peer = await serveCounted(() => undefined)
  const closing = egressOf()
  const controller = new AbortController()
  const result = closing.call(peer.url, { signal: controller.signal })
  controller.abort()
  await closing.close()
  assert.deepEqual(await result, brokenOff(false))
})
