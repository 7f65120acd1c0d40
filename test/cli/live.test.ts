import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Io } from '../../cli/src/io.ts'
import { run } from '../../cli/src/run.ts'
import { createTestApp, type TestTeam } from '../app.ts'
import { until } from '../patience.ts'
import { slowTest } from '../slow.ts'
import { localNames } from './command-line.ts'

const posthorn = await createTestApp()
const url = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })

type Running = { lines: () => Record<string, unknown>[]; end: () => Promise<number> }
const running: Running[] = []
after(async () => {
  for (const command of running) await command.end()
})

/** Starts a command that goes on. */
function start(key: string, baseUrl: string, ...args: string[]): Running {
  const stop = new AbortController()
  const [out, err]: [string[], string[]] = [[], []]
  const io: Io = {
    env: { POSTHORN_API_KEY: key, POSTHORN_URL: baseUrl, XDG_CONFIG_HOME: '/nowhere' },
    out: (text) => void out.push(String(text)),
    err: (text) => void err.push(text),
    ...{ outIsTerminal: false, canAsk: false, ask: async () => '', stdin: null, localNames, signal: stop.signal },
  }
  const ended = run([...args, '--json'], io)
  const end = () => {
    stop.abort()
    return ended
  }
  const lines = () => {
    assert.deepEqual(err, [])
    return out.map((line) => JSON.parse(line))
  }
  const command = { lines, end }
  running.push(command)
  return command
}

type Received = { headers: IncomingHttpHeaders; body: string; atMs: number }

/** A program on this machine that takes webhooks. It can be stopped and started again at its port. */
async function openReceiver(status = 200) {
  const received: Received[] = []
  let server: Server
  let port = 0
  const open = async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString(), atMs: performance.now() })
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  await open()
  after(close)
  return { received, open, close, url: () => `http://127.0.0.1:${port}/hook` }
}

let sent = 0
async function send({ api, domain }: TestTeam): Promise<string> {
  const mail = { from: `a@${domain}`, to: ['ada@example.com'], subject: `${sent++}`, text: 'x' }
  return (await api.post('/v1/emails', mail)).body.id
}

const isReady = (command: Running) => until(() => command.lines().some(({ type }) => type === 'ready'))

test('tail writes each entry of the feed as a line, and only the types that are asked for', async () => {
  const team = await posthorn.team()
  const [all, few] = [start(team.key, url, 'tail'), start(team.key, url, 'tail', '--type', 'email.delivered')]
  await until(async () => {
    await send(team)
    return all.lines().length > 1 && few.lines().length > 1
  })
  assert.deepEqual(Object.keys(all.lines()[0]!), ['id', 'type', 'at', 'data'])
  assert.ok(all.lines().some(({ type }) => type === 'email.sent'))
  assert.deepEqual([...new Set(few.lines().map(({ type }) => type))], ['email.delivered'])
  assert.equal(await all.end(), 130)
})

test('listen posts the bytes and headers that a webhook would be sent, and tells of each delivery', async () => {
  const team = await posthorn.team()
  const receiver = await openReceiver()
  const args = ['webhooks', 'listen', '--forward-to', receiver.url(), '--events', 'email.delivered']
  const command = start(team.key, url, ...args)
  await isReady(command)
  const { signingSecret, ...ready } = command.lines()[0]!
  assert.deepEqual(ready, { type: 'ready' })
  const emailId = await send(team)
  await until(() => command.lines().length === 2)
  const [{ headers, body }] = receiver.received as [Received]
  const hmac = createHmac('sha256', String(signingSecret)).update(`${headers['webhook-timestamp']}.${body}`)
  assert.equal(headers['webhook-signature'], `v1,${hmac.digest('base64')}`)
  assert.match(headers['user-agent']!, /^Posthorn\//)
  assert.equal(headers.accept, undefined)
  assert.equal(JSON.parse(body).data.email_id, emailId)
  const { ms, ...delivery } = command.lines()[1]!
  const id = headers['webhook-id']
  assert.deepEqual(delivery, { type: 'delivery', event: 'email.delivered', id, status: 200, error: null })
  assert.equal(typeof ms, 'number')
  const again = start(team.key, url, ...args)
  await isReady(again)
  assert.equal(again.lines()[0]!.signingSecret, signingSecret)
})

test('with --format resend the bodies are those of Resend, and a status of 500 ends a delivery', async () => {
  const team = await posthorn.team()
  const receiver = await openReceiver(500)
  const command = start(team.key, url, 'webhooks', 'listen', '--forward-to', receiver.url(), '--format', 'resend')
  await isReady(command)
  await send(team)
  await until(() => command.lines().length === 3)
  assert.equal(JSON.parse(receiver.received[0]!.body).data.from, `a@${team.domain}`)
  assert.deepEqual(
    command.lines().map(({ status }) => status),
    [undefined, 500, 500],
  )
})

test('a program that breaks off thrice at an event gets the next one, and each time is told', async () => {
  const team = await posthorn.team()
  let asked = 0
  const server = createServer((request, response) => {
    if (++asked <= 3) request.socket.destroy()
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const command = start(team.key, url, 'webhooks', 'listen', '--forward-to', to, '--events', 'email.sent')
  await isReady(command)
  await send(team)
  await send(team)
  await until(() => command.lines().length === 5)
  assert.deepEqual(
    command.lines().map(({ status }) => status),
    [undefined, null, null, null, 200],
  )
})

slowTest('listen loses nothing and keeps the order while the receiver and the server start anew', async () => {
  const team = await posthorn.team()
  const receiver = await openReceiver()
  const first = await posthorn.another()
  const baseUrl = await first.server.listen({ port: 0, host: '127.0.0.1' })
  const args = ['webhooks', 'listen', '--forward-to', receiver.url(), '--events', 'email.sent']
  const command = start(team.key, baseUrl, ...args)
  await isReady(command)
  const ids = [await send(team), await send(team)]
  await until(() => receiver.received.length === 2)
  await receiver.close()
  ids.push(await send(team), await send(team))
  await until(() => command.lines().some(({ status, error }) => status === null && error !== null))
  await first.close(1000)
  ids.push(await send(team))
  await receiver.open()
  const second = await posthorn.another()
  await second.server.listen({ port: Number(new URL(baseUrl).port), host: '127.0.0.1' })
  ids.push(await send(team))
  await until(() => receiver.received.length >= ids.length)
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data.email_id),
    ids,
  )
  await command.end()
  await second.close(1000)
})

slowTest('the time from commit to the local request is printed', async (t) => {
  const team = await posthorn.team()
  const receiver = await openReceiver()
  const args = ['webhooks', 'listen', '--forward-to', receiver.url(), '--events', 'email.delivered']
  const command = start(team.key, url, ...args)
  await isReady(command)
  const delays: number[] = []
  for (let n = 1; n <= 20; n++) {
    await send(team)
    const committedMs = performance.now()
    await until(() => receiver.received.length === n)
    delays.push(receiver.received[n - 1]!.atMs - committedMs)
  }
  delays.sort((one, other) => one - other)
  t.diagnostic(`commit to local POST: median ${delays[10]!.toFixed(0)} ms, p95 ${delays[18]!.toFixed(0)} ms`)
})

slowTest('listen is refused without a URL, with a key for sending, and where no server is', async () => {
  const team = await posthorn.team()
  const sending = await team.newKey()
  const args = ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9/']
  const codeOf = async (key: string, baseUrl: string, ...given: string[]) => {
    const io = { ...{ out: () => {}, err: () => {}, outIsTerminal: false, canAsk: false, ask: async () => '' } }
    const env = { POSTHORN_API_KEY: key, POSTHORN_URL: baseUrl, XDG_CONFIG_HOME: '/nowhere' }
    return run(given, { ...io, env, stdin: null, localNames })
  }
  assert.equal(await codeOf(team.key, url, 'webhooks', 'listen'), 2)
  assert.equal(await codeOf(team.key, url, 'webhooks', 'listen', '--forward-to', 'localhost:4000'), 2)
  assert.equal(await codeOf(sending.key, url, ...args), 1)
  assert.equal(await codeOf(`ph_${'0'.repeat(40)}`, url, ...args), 3)
  assert.equal(await codeOf(team.key, 'http://127.0.0.1:9', ...args), 4)
})
