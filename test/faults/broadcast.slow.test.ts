// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, type ServerProcess } from '../server-process.ts'
import { call, createWorkshop, until } from './installation.ts'

const workshop = await createWorkshop()
/** The number of emails that a process hands over at the same time. */
const concurrency = 64

type Body = { id: string; status: string; total: number; sent: number; skipped: Record<string, number> }

async function ask(server: ServerProcess, key: string, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await call(server, key, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Installs without limits, with a broadcast to `count` contacts. */
async function install(count: number, from: number) {
  const installed = await workshop.install()
  const { first, key, dataDir } = installed
  const [teamId] = (await runCommand(dataDir, 'team', 'list')).split('\t')
  await runCommand(dataDir, 'team', 'set-plan', teamId!, 'enterprise')
  const segmentId = (await ask(first, key, 'POST', '/v1/segments', { name: 'Everybody' })).id
  const addresses = Array.from({ length: count }, (_, n) => `reader${from + n}@people.test`)
  const contacts = addresses.map((email) => ({ email }))
  await ask(first, key, 'POST', '/v1/contacts/import', { contacts, segmentId })
  const fields = {
    name: 'News',
    from: 'News <news@sandbox.test>',
    segmentId,
    subject: 'News',
    html: '<p>{{email}}</p>',
  }
  const { id } = await ask(first, key, 'POST', '/v1/broadcasts', fields)
  return { ...installed, id, addresses }
}

/**
 * Returns how often each address received the broadcast. Throws if two emails to one address differ in their
 * Message-ID.
 */
function receivedBy(addresses: string[]): Map<string, number> {
  const wanted = new Set(addresses)
  const messages = workshop.sink.messages.filter(({ to }) => wanted.has(to[0]!))
  for (const same of Map.groupBy(messages, ({ to }) => to[0]!).values()) {
    assert.equal(new Set(same.map(({ messageId }) => messageId)).size, 1, 'a repeat with another Message-ID')
  }
  return new Map(addresses.map((address) => [address, messages.filter(({ to }) => to[0] === address).length]))
}

test('a broadcast under repeated kills reaches every contact, twice only if a kill left the outcome open, and ends', async () => {
  const { first, start, key, id, addresses } = await install(3000, 0)
  const [left, blocked] = [addresses.at(-1)!, addresses.at(-2)!]
  await ask(first, key, 'POST', '/v1/suppressions', { email: blocked })
  await ask(first, key, 'POST', `/v1/broadcasts/${id}/send`)
  let server = first
  const kills = 3
  for (let kill = 1; kill <= kills; kill++) {
    await until('some more of it sent', () => workshop.sink.messages.length >= kill * 500)
    await server.kill()
    server = await start()
  }
  const { data } = (await ask(server, key, 'GET', `/v1/contacts?search=${left}`)) as unknown as { data: Body[] }
  await ask(server, key, 'PATCH', `/v1/contacts/${data[0]!.id}`, { unsubscribed: true })
  await until('its end', async () => (await ask(server, key, 'GET', `/v1/broadcasts/${id}`)).status === 'sent')
  const received = receivedBy(addresses)
  assert.deepEqual([received.get(left), received.get(blocked)], [0, 0])
  const eligible = addresses.slice(0, -2)
  assert.deepEqual(
    eligible.filter((address) => received.get(address) === 0),
    [],
    'nobody was left out',
  )
  const repeats = eligible.reduce((sum, address) => sum + received.get(address)! - 1, 0)
  assert.ok(repeats <= kills * concurrency, `${repeats} repeats`)
  const { total, sent, skipped } = await ask(server, key, 'GET', `/v1/broadcasts/${id}/stats`)
  assert.deepEqual([total, sent, skipped], [3000, 2998, { unsubscribed: 1, suppressed: 1, notOptedIn: 0 }])
  await server.stop()
})

test('two processes share a broadcast without duplicates, and lose nothing while the relay is down', async () => {
  const { first, start, key, id, addresses } = await install(2000, 10_000)
  const second = await start()
  const before = workshop.sink.messages.length
  await ask(first, key, 'POST', `/v1/broadcasts/${id}/send`)
  await until('some of it sent', () => workshop.sink.messages.length >= before + 200)
  workshop.sink.state.refusing = true
  await sleep(1500)
  workshop.sink.state.refusing = false
  await until('its end', async () => (await ask(second, key, 'GET', `/v1/broadcasts/${id}`)).status === 'sent')
  const received = [...receivedBy(addresses).values()]
  assert.deepEqual(
    received.filter((count) => count !== 1),
    [],
  )
  assert.equal((await ask(second, key, 'GET', `/v1/broadcasts/${id}/stats`)).sent, 2000)
  await Promise.all([first.stop(), second.stop()])
})
