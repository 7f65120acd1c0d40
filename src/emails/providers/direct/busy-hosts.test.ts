import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()
const { clock, app } = world.posthorn
const hourMs = 3_600_000

/** Starts a host that defers its first recipient, and holds back the answers to texts until `release` is called. */
async function startBusyHost(domain: string, address: string) {
  const held: Socket[] = []
  let greeted = false
  let isBusy = true
  const host = await world.script(address, (verb, socket) => {
    if (verb === 'EHLO') return '250-busy\r\n250 SIZE 50000000\r\n'
    if (verb === 'RCPT' && !greeted) {
      greeted = true
      return '451 4.7.1 Greylisted, come again\r\n'
    }
    if (verb !== 'END' || !isBusy) return undefined
    held.push(socket)
    return null
  })
  world.domainAt(domain, address)
  return {
    host,
    held,
    release() {
      isBusy = false
      for (const socket of held) socket.write('250 2.0.0 taken\r\n')
    },
  }
}

/** Lets the delivery of an email run at a time and not before, with a change of what it knows. */
async function runAt(emailId: string, at: Date, change: Record<string, unknown> = {}) {
  const id = await world.deliveryOf(emailId)
  await sql`update jobs set run_at = ${at}, payload = payload || ${JSON.stringify(change)}::jsonb where id = ${id}`.execute(
    app.db,
  )
}

/** Runs the delivery of an email now. Others that are under way stay so. */
async function runNow(emailId: string, change?: Record<string, unknown>) {
  await runAt(emailId, clock.now(), change)
  void world.runDueJobs()
  await until(async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select lease_token is null and run_at > ${clock.now()} as waits from jobs where key = ${`${emailId}/0`}
    `.execute(app.db)
    return rows[0]?.waits ?? true
  })
}

async function untilDelivered(emailId: string) {
  await until(async () => {
    await world.pass(1000)
    return (await sender.email(emailId)).status === 'delivered'
  })
}

/** Takes all five places of a host. */
async function occupy(domain: string, held: Socket[]) {
  for (let sent = 0; sent < 5; sent++) await sender.send(`busy${sent}@${domain}`)
  const running = world.runDueJobs()
  await until(() => held.length === 5)
  return { running }
}

test('an email that was deferred more than a day ago waits for a busy host, and is delivered', async () => {
  const { held, release } = await startBusyHost('busy.test', '127.0.3.2')
  const sent = await sender.deliver('a@busy.test')
  await runAt(sent.id, new Date(clock.now().getTime() + 30 * hourMs))
  clock.advance(25 * hourMs)
  const { running } = await occupy('busy.test', held)
  await runNow(sent.id)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivery_delayed', 'delayed'])
  release()
  await running
  await untilDelivered(sent.id)
})

test('an email that has found its host busy for 5 days in all bounces without being tried', async () => {
  const { host, held, release } = await startBusyHost('crowded.test', '127.0.3.3')
  await sender.deliver('first@crowded.test')
  const { running } = await occupy('crowded.test', held)
  const sent = await sender.send('a@crowded.test')
  await runNow(sent.id, { waitedMs: 120 * hourMs - 1 })
  assert.deepEqual(await sender.story(sent.id), ['sent', 'sent'])
  await runNow(sent.id)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'bounced', 'bounced'])
  const { bounce } = (await sender.events(sent.id)).at(-1)!.data
  assert.match(
    bounce.bouncedRecipients[0].diagnosticCode,
    /^Given up after 5 days: The mail hosts .* no more connections/,
  )
  assert.deepEqual((await sender.team.api.get('/v1/suppressions')).body.data, [])
  release()
  await running
  assert.ok(!host.commands.some((line) => line.includes('<a@crowded.test>')))
})

slowTest(
  'an email that was deferred more than a day ago waits while a name server is slow, and is delivered',
  async () => {
    const host = await startBusyHost('slow-dns.test', '127.0.3.4')
    host.release()
    const sent = await sender.deliver('a@slow-dns.test')
    clock.advance(25 * hourMs)
    const { release } = world.dns.hold()
    await runNow(sent.id)
    assert.deepEqual(await sender.story(sent.id), ['sent', 'delivery_delayed', 'delayed'])
    release()
    await untilDelivered(sent.id)
  },
)

slowTest('an email whose name server fails after more than two seconds each time is told to be delayed', async () => {
  world.domainAt('failing-dns.test', '127.0.3.5')
  const sent = await sender.send('a@failing-dns.test')
  const { release } = world.dns.hold()
  world.dns.become('failing')
  await runNow(sent.id)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'sent'])
  release()
  const { live } = app.providers.email
  assert('findRoute' in live)
  await until(async () => (await live.findRoute('failing-dns.test')).kind === 'closed')
  const again = world.dns.hold()
  await world.pass(10_000)
  assert.deepEqual(await sender.story(sent.id), ['sent', 'delivery_delayed', 'delayed'])
  again.release()
})
