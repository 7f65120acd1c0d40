// needs: waiting
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import type { ServerProcess } from '../server-process.ts'
import { startSink } from '../smtp-sink.ts'
import { call, createWorkshop, email, until } from './installation.ts'

const workshop = await createWorkshop()
const from = 'Kill <kill@sandbox.test>'
/** Once an answer is lost, the first copy and two repeats. */
const copiesMax = 3
/** Emails of each road, half of them while the relay is gone. At 20 ms they are 50 a second. */
const each = 200
const pauseMs = 20

type Body = { id: string; status: string; total: number; data: Body[] }

async function ask(server: ServerProcess, key: string, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await call(server, key, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** The roads by which mail is accepted. Each returns how to give one more, to this address. */
async function openRoads(server: ServerProcess, key: string) {
  const workflow = await ask(server, key, 'POST', '/v1/workflows', { name: 'Welcome' })
  const config = { from, to: '{{trigger.to}}', subject: 'By workflow', text: 'x' }
  await ask(server, key, 'PATCH', `/v1/workflows/${workflow.id}`, {
    nodes: [
      { id: 'start', type: 'manual' },
      { id: 'send', type: 'send_email', config },
    ],
    connections: [{ id: 'line', source: 'start', target: 'send' }],
  })
  await ask(server, key, 'POST', `/v1/workflows/${workflow.id}/activate`)
  const port = Number(/"smtp":(\d+)/.exec(server.output())![1])
  const transport = nodemailer.createTransport({
    ...{ host: '127.0.0.1', port, auth: { user: key, pass: key }, pool: true },
    tls: { rejectUnauthorized: false },
  })
  after(() => transport.close())
  return {
    api: (to: string) => ask(server, key, 'POST', '/v1/emails', email('By API', { to: [to] })),
    smtp: (to: string) => transport.sendMail({ from, to, subject: 'By SMTP', text: 'x' }),
    workflow: (to: string) =>
      ask(server, key, 'POST', `/v1/workflows/${workflow.id}/executions`, { triggerData: { to } }),
  }
}

async function sendBroadcast(server: ServerProcess, key: string, addresses: string[]): Promise<string> {
  const segmentId = (await ask(server, key, 'POST', '/v1/segments', { name: 'Everybody' })).id
  const contacts = addresses.map((email) => ({ email }))
  await ask(server, key, 'POST', '/v1/contacts/import', { contacts, segmentId })
  const { id } = await ask(server, key, 'POST', '/v1/broadcasts', {
    name: 'News',
    from,
    segmentId,
    subject: 'News',
    text: 'x',
  })
  await ask(server, key, 'POST', `/v1/broadcasts/${id}/send`)
  return id
}

test('mail of every road that is accepted while the relay is gone arrives when it is back, and said meanwhile that it waits', async () => {
  const before = await startSink()
  const { first: server, key } = await workshop.install({ SMTP_RELAY_URL: before.url, SMTP_PORT: '0' })
  const roads = await openRoads(server, key)
  const addresses = (road: string) => Array.from({ length: each }, (_, n) => `${road}${n}@people.test`)
  const broadcast = await sendBroadcast(server, key, addresses('reader'))
  await Promise.all(
    Object.entries(roads).map(async ([road, give]) => {
      for (const [index, to] of addresses(road).entries()) {
        if (road === 'api' && index === each / 2) await before.close()
        await give(to)
        await sleep(pauseMs)
      }
    }),
  )
  const delayed = await ask(server, key, 'GET', '/v1/emails?status=delayed')
  assert.ok(delayed.total > 0, 'some wait')
  const { data } = await ask(server, key, 'GET', `/v1/emails/${delayed.data[0]!.id}/events`).then((data) => ({ data }))
  assert.match(JSON.stringify(data), /delivery_delayed.*unreachable|unreachable.*delivery_delayed/)
  assert.match(
    await (await fetch(`${server.url}/metrics`)).text(),
    /posthorn_message_events_total\{[^}]*delivery_delayed/,
  )

  const reopened = await startSink(before.port)
  const messages = () => [...before.messages, ...reopened.messages]
  const copiesTo = () => Map.groupBy(messages(), ({ to }) => to[0]!)
  const sentAtOnce = [...addresses('api'), ...addresses('smtp'), ...addresses('workflow')]
  await until('every accepted message', () => {
    // Grouped once for each look: this process is the relay too.
    const arrived = copiesTo()
    return sentAtOnce.every((address) => arrived.has(address))
  })
  await until(
    'the end of the broadcast',
    async () => (await ask(server, key, 'GET', `/v1/broadcasts/${broadcast}`)).status === 'sent',
  )
  const copies = copiesTo()
  for (const address of sentAtOnce) assert.ok(copies.get(address)!.length <= copiesMax, address)
  for (const same of copies.values()) assert.equal(new Set(same.map(({ messageId }) => messageId)).size, 1)
  for (const address of addresses('reader')) {
    const count = copies.get(address)?.length ?? 0
    if (count === 1) continue
    assert.equal(count, 0, address)
    // Only a lost answer leaves a reader out.
    const [unknown] = (await ask(server, key, 'GET', `/v1/emails?find=${encodeURIComponent(address)}`)).data
    assert.match(JSON.stringify(await ask(server, key, 'GET', `/v1/emails/${unknown!.id}/events`)), /outcome_unknown/)
  }
  await until(
    'no email that waits',
    async () => (await ask(server, key, 'GET', '/v1/emails?status=delayed')).total === 0,
  )
  assert.equal(await server.stop(), 0)
  await reopened.close()
})
