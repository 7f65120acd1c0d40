import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { fetchOf } from '../names/agent.ts'
import { createNames } from '../names/names.ts'
import { egressOf, listen } from './fixtures/loopback.ts'

const egress = egressOf()
const last = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Own: yes\r\n\r\ndone'

/** Starts a server that answers each request of a connection with these pieces, each in a packet of its own. */
async function answering(pieces: string[], { end = false } = {}) {
  let requests = 0
  const server = net.createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', async () => {
      requests++
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (end) socket.end()
    })
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

test('an interim answer that was not asked for is passed over, whatever it is and however it comes', async () => {
  for (const pieces of [
    ['HTTP/1.1 100 Continue\r\n\r\n', last],
    [`HTTP/1.1 100 Continue\r\n\r\n${last}`],
    [...`HTTP/1.1 100 Continue\r\nX-Own: no\r\n\r\n${last}`],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\n\r\n', last],
    ['HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', last],
    ['HTTP/1.1 199 Own\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', last],
  ]) {
    const peer = await answering(pieces)
    const result = await egress.call(peer.url, { method: 'POST', body: 'x' })
    assert(result.kind === 'answered', JSON.stringify([result, pieces]))
    assert.deepEqual([result.status, String(result.body), result.headers['x-own']], [200, 'done', 'yes'])
    assert.equal(peer.requests(), 1)
  }
})

test('a connection that gave an interim answer is used again', async () => {
  const peer = await answering(['HTTP/1.1 100 Continue\r\n\r\n', last])
  for (let request = 1; request <= 3; request++) {
    const result = await egress.call(peer.url, { method: 'PUT', body: 'x' })
    assert(result.kind === 'answered' && result.status === 200)
    assert.equal(peer.requests(), request)
  }
})

test('an interim answer alone is no answer', async () => {
  const peer = await answering(['HTTP/1.1 100 Continue\r\n\r\n'], { end: true })
  const result = await egress.call(peer.url)
  assert(result.kind === 'failed' && result.hasLeft, JSON.stringify(result))
})

test('libraries that use fetch pass over it too', async () => {
  const peer = await answering(['HTTP/1.1 100 Continue\r\n\r\n', last])
  const names = createNames({ servers: [] })
  const answer = await fetchOf(names)(peer.url, { method: 'POST', body: 'x' })
  assert.deepEqual([answer.status, await answer.text(), peer.requests()], [200, 'done', 1])
})
