// needs: waiting
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/start.ts'
import { startTwilio } from '../../src/sms/providers/twilio/fixtures/twilio.ts'
import { runCommand, type ServerProcess } from '../server-process.ts'
import { call, createWorkshop, until } from './installation.ts'

const workshop = await createWorkshop()
const twilio = await startTwilio()
const take = twilio.answer

type Sms = { id: string; to: string; status: string }

/** An installation that sends through the peer, with an active sender. The peer calls no address of this machine. */
async function install() {
  const { PUBLIC_URL: _, ...environment } = twilio.environment
  const installed = await workshop.install({ EMAIL_PROVIDER: 'capture', ...environment })
  const { first, key } = installed
  const made = await call(first, key, 'POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  const senderId = (made.body as Sms).id
  const verified = await call(first, key, 'POST', `/v1/sms/senders/${senderId}/verify`)
  assert.equal((verified.body as Sms).status, 'active')
  const send = (server: ServerProcess, to: string) =>
    call(server, key, 'POST', '/v1/sms', { to, body: 'Hello', senderId }, to)
  const read = async <T>(server: ServerProcess, path: string) => (await call(server, key, 'GET', path)).body as T
  return { ...installed, send, read }
}

const callsFor = (to: string) => twilio.sent.filter(({ To }) => To === to).length

/** Checks the accounts with `billing verify`, which fails on any difference. */
async function assertExact(dataDir: string): Promise<void> {
  assert.match(await runCommand(dataDir, 'billing', 'verify'), /all exact/)
}

/** A connection to the installation's database, which outlives the killed process. */
async function openDatabase(dataDir: string): Promise<pg.Client> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, warn: () => undefined } })
  const client = new pg.Client(embedded.connection())
  await client.connect()
  after(async () => {
    await client.end().catch(() => undefined)
    await embedded.stop()
  })
  return client
}

/** Blocks every write of this column of a message until `free` is called, which also ends the blocked writers. */
async function stallAt(client: pg.Client, column: string) {
  await client.query(`
    create or replace function stall() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end';
    create trigger stall before update of ${column} on sms_messages for each row execute function stall()
  `)
  const stalled = `select pid from pg_stat_activity where wait_event = 'PgSleep'`
  return {
    reached: () => until(`a stall at ${column}`, async () => (await client.query(stalled)).rows.length > 0),
    async free() {
      await client.query(`select pg_terminate_backend(pid) from (${stalled}) as held`)
      await client.query('drop trigger stall on sms_messages')
    },
  }
}

const to = '+61400000000'
const faults: [when: string, column: string, calls: number, events: string[]][] = [
  ['paid for and not yet marked as handed over', 'handed_over_at', 1, ['queued', 'accepted']],
  ['sent and not yet recorded', 'billable', 1, ['outcome_unknown', 'accepted']],
]
for (const [when, column, calls, events] of faults) {
  test(`after a kill while a message is ${when}, the provider is asked once in all, and the accounts are exact`, async () => {
    const { first, start, dataDir, send, read } = await install()
    twilio.sent.length = 0
    const stall = await stallAt(await openDatabase(dataDir), column)
    const cut = send(first, to).catch(() => 'cut')
    await stall.reached()
    await first.kill()
    assert.equal(await cut, 'cut')
    await stall.free()
    const server = await start()
    const [sms] = (await read<{ data: Sms[] }>(server, '/v1/sms')).data
    await until('its end', async () => {
      const found = await read<{ type: string }[]>(server, `/v1/sms/${sms!.id}/events`)
      return found.map(({ type }) => type).join() === events.join()
    })
    assert.equal(callsFor(to), calls)
    const repeated = await send(server, to)
    assert.deepEqual([repeated.status, (repeated.body as Sms).id], [200, sms!.id], 'the key is the message’s')
    assert.equal(callsFor(to), calls)
    await assertExact(dataDir)
    await server.stop()
  })
}

test('after a kill during a request to the provider, the request is not repeated, and the message shows an unknown outcome', async () => {
  const { first, start, dataDir, send, read } = await install()
  twilio.sent.length = 0
  twilio.answer = () => undefined
  const numbers = Array.from({ length: 8 }, (_, n) => `+6140000000${n}`)
  const cut = numbers.map((number) => send(first, number).catch(() => 'cut'))
  await until('the provider to be asked for all', () => numbers.every((number) => callsFor(number) === 1))
  await first.kill()
  assert.deepEqual(new Set(await Promise.all(cut)), new Set(['cut']))
  twilio.answer = take
  const server = await start()
  const { data } = await read<{ data: Sms[] }>(server, '/v1/sms')
  assert.equal(data.length, numbers.length)
  for (const { id, to } of data) {
    await until(`what became of ${to}`, async () => {
      const [last] = await read<{ type: string }[]>(server, `/v1/sms/${id}/events`)
      return last?.type === 'outcome_unknown'
    })
  }
  assert.deepEqual(numbers.map(callsFor), Array(8).fill(1))
  await assertExact(dataDir)
  await server.stop()
})

test('under repeated kills and concurrent sends, each key is one message, sent at most once, and the accounts are exact', async () => {
  const { first, start, dataDir, send, read } = await install()
  twilio.sent.length = 0
  twilio.answer = (...all) => void setTimeout(() => take(...all), 15)
  const [clients, kills] = [8, 3]
  let server = first
  let stopping = false
  const ids = new Map<string, string>()
  const unanswered: string[] = []
  async function client(number: number): Promise<void> {
    for (let count = 0; !stopping; count++) {
      const to = `+614${number}${String(count).padStart(7, '0')}`
      const answer = await send(server, to).catch(() => undefined)
      if (answer?.status === 200) ids.set(to, (answer.body as Sms).id)
      else unanswered.push(to)
      // A machine of any speed must stay within the team's credit.
      await sleep(50)
      await until('the next server', () => stopping || server.child.signalCode === null)
    }
  }
  const work = Array.from({ length: clients }, (_, number) => client(number))
  for (let kill = 0; kill < kills; kill++) {
    await sleep(1000)
    await until('answers before the kill', () => ids.size > clients * kill)
    await server.kill()
    server = await start()
  }
  await until('answers after the last kill', () => ids.size > clients * kills)
  stopping = true
  await Promise.all(work)
  for (const to of unanswered) {
    const id = await until(`an answer for ${to}`, async () => {
      const answer = await send(server, to)
      return answer.status === 200 && (answer.body as Sms).id
    })
    ids.set(to, id)
  }
  twilio.answer = take
  assert.equal(new Set(ids.values()).size, ids.size)
  assert.ok(ids.size > clients * kills, `${ids.size} messages`)
  let unknown = 0
  for (const [to, id] of ids) {
    const types = (await read<{ type: string }[]>(server, `/v1/sms/${id}/events`)).map(({ type }) => type)
    assert.ok(callsFor(to) <= 1, `${to} was sent ${callsFor(to)} times`)
    if (types.includes('outcome_unknown')) unknown++
    else assert.deepEqual([types, callsFor(to)], [['queued', 'accepted'], 1])
  }
  assert.ok(unknown <= kills * clients, `${unknown} of unknown outcome`)
  await assertExact(dataDir)
  await server.stop()
})
