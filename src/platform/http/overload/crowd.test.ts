import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createTestApp, ok } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import { listen, speak } from '../../../../test/wire.ts'
import { health } from '../../../health/feature.ts'
import { createServer } from '../server.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '100000' })
const team = await posthorn.team()
const port = await listen(posthorn)
const open = new Set<Socket>()
/** Requests by the port that they come from. */
const arrivals = new Map<number, (request: IncomingMessage) => void>()
posthorn.server.server.on('request', (request) => arrivals.get(request.socket.remotePort ?? 0)?.(request))
after(hangUp)

function hangUp(): void {
  for (const socket of open) socket.destroy()
}

type Stalled = { socket: Socket; answer: Promise<string>; arrived: IncomingMessage }

const trigger = '/v1/workflows/triggers/unknown'

/** Sends a body that never ends. Resolves with the answer. */
async function stall(path: string, sent: string, length: number): Promise<Stalled> {
  const socket = connect({ port, host: '127.0.0.1' })
  open.add(socket)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  const answer = once(socket, 'close').then(() => text)
  await once(socket, 'connect')
  const arrived = new Promise<IncomingMessage>((resolve) => arrivals.set(socket.localPort!, resolve))
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.key}\r\nContent-Type: application/json\r\n`
  await new Promise((resolve) => socket.write(`${head}Content-Length: ${length}\r\n\r\n${sent}`, resolve))
  return { socket, answer, arrived: await arrived }
}

/** Sends incomplete bodies: large ones first, then smaller ones for the rest of 160 MiB. */
async function stallMany(count: number, size: number): Promise<Stalled[]> {
  const stalled = await Promise.all(Array.from({ length: count }, () => stall(trigger, ' '.repeat(size), 1_000_000)))
  const isRead = ({ arrived }: Stalled) => arrived.socket.bytesRead > size
  while (!stalled.every(isRead)) await setImmediate()
  return stalled
}

slowTest('250 unfinished bodies without a key leave memory for every team, and are ended', async () => {
  const stalled = [...(await stallMany(228, 800_000)), ...(await stallMany(22, 85_536))]
  const other = await posthorn.team()
  const email = { from: `a@${other.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x'.repeat(100_000) }
  for (let n = 0; n < 3; n++) {
    await ok(other.api.post('/v1/emails', email))
  }
  // A burst counts for 30 s at most, followed by 10 s of grace.
  posthorn.clock.advance(41_000)
  // Requests beyond the budget were refused at once and are read to the end.
  const first = await Promise.race(stalled.map(({ answer }) => answer))
  assert.match(first, /^HTTP\/1\.1 408 /)
  for (const { socket } of stalled) socket.destroy()
})

slowTest('a body that is too slow is 408, and a slow one above the minimum is accepted', async () => {
  const body = `{"name":"${'x'.repeat(100)}"${' '.repeat(40_000)}}`
  const [slow, steady] = [await stall(trigger, body.slice(0, 100), body.length), await stall(trigger, '', body.length)]
  const request = steady.arrived
  steady.socket.write(body.slice(0, 30_000))
  for (let size = 0; size < 30_000; ) size += (await once(request, 'data'))[0].length
  posthorn.clock.advance(30_000)
  const answer = await slow.answer
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /^connection: close/im)
  const refusal = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  assert.deepEqual([refusal.status_code, refusal.name], [408, 'request_timeout'])
  assert.match(refusal.message, /less than 1 KiB a second/)
  const taken = once(steady.socket, 'data')
  steady.socket.write(body.slice(30_000))
  assert.match(String((await taken)[0]), /^HTTP\/1\.1 404 /)
})

async function limited(environment: Record<string, string>): Promise<number> {
  const { app } = await createTestApp(environment)
  const window = { limit: 10, remaining: 9, resetAtSeconds: 60, allowed: true }
  const server = await createServer({
    app,
    routes: health.routes!,
    identify: async () => null,
    isPastLimit: () => false,
    refuseRole: () => undefined,
    refuseStaleLogin: () => undefined,
    noteChange: () => undefined,
    countRequest: async () => window,
    connectionsMax: 3,
  })
  after(async () => {
    hangUp()
    await server.close()
  })
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
}

async function idle(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  open.add(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const health1 = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

test('a network has a limited number of connections, and one that ends makes way for another', async () => {
  const port = await limited({})
  const held = [await idle(port), await idle(port), await idle(port)]
  const refused = await speak(port, '')
  assert.match(refused, /^HTTP\/1\.1 429 .*More than 3 connections from your network/s)
  held[0]!.end()
  await once(held[0]!.resume(), 'close')
  // The server notices a moment later that the connection is closed.
  await until(async () => / 200 /.test(await speak(port, health1)))
})

test('a trusted proxy brings as many connections as it likes', async () => {
  const port = await limited({ TRUST_PROXY: '127.0.0.0/8,::1' })
  for (let n = 0; n < 10; n++) await idle(port)
  assert.match(await speak(port, health1), /^HTTP\/1\.1 200 /)
})
