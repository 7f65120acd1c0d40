// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promptMs } from '../patience.ts'
import { call, createWorkshop, type Email, email, until } from './installation.ts'

const workshop = await createWorkshop()

test('under repeated kills and concurrent sends, each idempotency key is one email, none is lost, and repeats stay bounded', async () => {
  const { first, start, key } = await workshop.install()
  const clients = 8
  const kills = 3
  let server = first
  let stopping = false
  const ids = new Map<string, string>()
  async function client(number: number): Promise<void> {
    for (let count = 0; !stopping; count++) {
      const idempotencyKey = `${number}-${count}`
      const id = await until(`an answer for ${idempotencyKey}`, async () => {
        const answer = await call(server, key, 'POST', '/v1/emails', email(idempotencyKey), idempotencyKey).catch(
          () => undefined,
        )
        return answer?.status === 200 && (answer.body as Email).id
      })
      ids.set(idempotencyKey, id)
    }
  }
  const work = Array.from({ length: clients }, (_, number) => client(number))
  for (let kill = 0; kill < kills; kill++) {
    await sleep(700)
    await server.kill()
    server = await start()
  }
  await sleep(700)
  stopping = true
  await Promise.all(work)
  await until('every accepted email sent', async () => {
    const left = await call(server, key, 'GET', '/v1/emails?status=scheduled')
    return (left.body as { total: number }).total === 0
  })
  assert.equal(new Set(ids.values()).size, ids.size)
  for (const id of ids.values()) assert.ok(workshop.received(id) >= 1, `${id} was lost`)
  const repeats = [...ids.values()].reduce((sum, id) => sum + workshop.received(id) - 1, 0)
  assert.ok(repeats <= kills * clients, `${repeats} repeats`)
  const sent = await call(server, key, 'GET', '/v1/emails?status=sent')
  // A client without an answer repeats its key, so other emails do not exist.
  assert.equal((sent.body as { total: number }).total, ids.size)
  await server.stop()
})

test('an email whose process is killed before the relay answers is sent within 45 s, with the same Message-ID', async () => {
  const { first, start, key } = await workshop.install({ JOB_LEASE: '30s' })
  workshop.sink.state.holding = true
  const cut = call(first, key, 'POST', '/v1/emails', email('held')).catch(() => 'cut')
  await until('the relay to have the message', () => workshop.sink.state.held > 0)
  await first.kill()
  assert.equal(await cut, 'cut')
  workshop.sink.state.holding = false
  const server = await start()
  const [listed] = ((await call(server, key, 'GET', '/v1/emails')).body as { data: Email[] }).data
  // Counted from the start of the next process, which takes long on a slow machine.
  await until('the email at the relay', () => workshop.received(listed!.id) === 1, 45_000)
  await until('its status', async () => {
    return ((await call(server, key, 'GET', `/v1/emails/${listed!.id}`)).body as Email).status === 'sent'
  })
  await server.stop()
})

test('what a killed process held goes on at once when its server is started again', async () => {
  const { first, start, key } = await workshop.install({ JOB_LEASE: '5m' })
  Object.assign(workshop.sink.state, { holding: true, held: 0 })
  void call(first, key, 'POST', '/v1/emails', email('left')).catch(() => 'cut')
  await until('the relay to have the message', () => workshop.sink.state.held > 0)
  await first.kill()
  workshop.sink.state.holding = false
  const server = await start()
  const [listed] = ((await call(server, key, 'GET', '/v1/emails')).body as { data: Email[] }).data
  // Longer than a test waits, so the lease was not waited for.
  await until('the email at the relay', () => workshop.received(listed!.id) === 1)
  await server.stop()
})

test('a second process on a database leaves to the first what that holds', async () => {
  const { first, start, key } = await workshop.install({ JOB_LEASE: '5m' })
  const before = workshop.sink.messages.length
  Object.assign(workshop.sink.state, { holding: true, held: 0 })
  void call(first, key, 'POST', '/v1/emails', email('held by the first')).catch(() => 'cut')
  await until('the relay to have the message', () => workshop.sink.state.held > 0)
  workshop.sink.state.holding = false
  const second = await start()
  // The second looks for work at its start, and each second.
  await sleep(2500)
  assert.equal(workshop.sink.messages.length, before)
  await first.kill()
  await second.stop()
})

test('email that fell due while no process ran is sent once at the start', async () => {
  const { first, start, key } = await workshop.install()
  const scheduledAt = new Date(Date.now() + promptMs).toISOString()
  const made = await Promise.all(
    [1, 2, 3].map((n) => call(first, key, 'POST', '/v1/emails', email(`due ${n}`, { scheduledAt }))),
  )
  await first.kill()
  await sleep(Math.max(0, Date.parse(scheduledAt) - Date.now()) + 500)
  const server = await start()
  const ids = made.map((answer) => (answer.body as Email).id)
  await until('all of them sent', () => ids.every((id) => workshop.received(id) > 0))
  await sleep(1500)
  assert.deepEqual(ids.map(workshop.received), [1, 1, 1])
  await server.stop()
})

test('a process that stops under load answers the requests it accepted and exits with 0', async () => {
  const { first, start, key } = await workshop.install()
  const answers = Array.from({ length: 40 }, (_, n) =>
    call(first, key, 'POST', '/v1/emails', email(`stop ${n}`)).catch(() => null),
  )
  await sleep(60)
  assert.equal(await first.stop(), 0)
  const taken = (await Promise.all(answers)).filter((answer) => answer?.status === 200)
  for (const answer of taken) assert.equal(workshop.received((answer!.body as Email).id), 1)
  const server = await start()
  const total = ((await call(server, key, 'GET', '/v1/emails?status=sent')).body as { total: number }).total
  assert.equal(total, taken.length)
  await server.stop()
})
