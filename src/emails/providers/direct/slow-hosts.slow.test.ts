import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ok } from '../../../../test/app.ts'
import { patienceMs } from '../../../../test/patience.ts'
import { deliverToDomainJob } from '../../jobs.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()

/** Sends `count` emails with one recipient in one request. */
async function sendMany(to: string, count: number) {
  world.posthorn.clock.advance(1000)
  const email = { from: `hello@${sender.domain}`, to: [to], subject: 'Hello', text: 'Hello.' }
  await ok(sender.team.api.post('/v1/emails/batch', { emails: Array(count).fill(email) }))
}

/**
 * Runs due jobs until the condition is true. A run waits for as long as a host holds its answer back, so others begin
 * meanwhile.
 */
async function until(isTrue: () => boolean | Promise<boolean>, passMs = 0) {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await sleep(10)) {
    if (await isTrue()) return
    world.posthorn.clock.advance(passMs)
    await hurryFailed()
    await Promise.race([world.runDueJobs(), sleep(100)])
  }
  assert.fail(`it did not come to that: ${isTrue}`)
}

/**
 * Makes deliveries due that could not be read. A busy machine may read large ones for longer than a statement may take,
 * and would wait for longer than the leases of the others last, which nothing extends here.
 */
async function hurryFailed() {
  const { app, clock } = world.posthorn
  await sql`
    update jobs set run_at = ${clock.now()} where kind = ${deliverToDomainJob.kind} and failures > 0 and lease_token is null
  `.execute(app.db)
}

/**
 * Starts a host that reads messages and holds back its answers to them until `release` is called. The client waits
 * longer for this answer than for any other, and longer than the test waits for anything.
 */
async function hold(address: string, answer = '250 2.0.0 taken\r\n') {
  let held: Socket[] = []
  let isHolding = true
  const host = await world.script(address, (at, socket) => {
    // With PIPELINING a message would begin behind one whose answer is held back.
    if (at === 'EHLO') return '250-slow\r\n250 SIZE 50000000\r\n'
    if (at !== 'END') return undefined
    if (!isHolding) return answer
    held.push(socket)
    return null
  })
  const release = () => {
    isHolding = false
    const before = held
    held = []
    for (const socket of before) socket.write(answer)
  }
  return { host, release, waiting: () => held.length }
}

test('dozens of slow hosts do not delay the mail for other hosts', async () => {
  const names = Array.from({ length: 44 }, (_, index) => `tarpit${index}.test`)
  const tarpits = await Promise.all(
    names.map((name, index) => {
      world.domainAt(name, `127.0.6.${index + 1}`)
      return hold(`127.0.6.${index + 1}`)
    }),
  )
  const waiting = () => tarpits.reduce((sum, tarpit) => sum + tarpit.waiting(), 0)
  const slow: string[] = []
  while (slow.length < 5) slow.push((await sender.send(...names.map((name) => `a@${name}`))).id)
  await until(() => waiting() === 5 * names.length)
  const quick = await world.script('127.0.6.100')
  world.domainAt('quick.test', '127.0.6.100')
  const { id } = await sender.send('a@quick.test')
  await until(() => quick.texts.length === 1)
  assert.equal(waiting(), 5 * names.length)
  for (const { release } of tarpits) release()
  for (const one of slow) await until(async () => (await sender.story(one)).at(-1) === 'delivered')
  assert.deepEqual(await sender.story(id), ['sent', 'delivered', 'delivered'])
})

test('a host that is silent for ten seconds gets only two connections until it answers', async () => {
  const { host, release, waiting } = await hold('127.0.7.1')
  world.domainAt('silent.test', '127.0.7.1')
  await sendMany('a@silent.test', 1)
  await until(() => waiting() === 1)
  world.posthorn.clock.advance(10_000)
  await sendMany('a@silent.test', 15)
  await until(() => host.connections === 2)
  for (let tries = 0; tries < 20; tries++) {
    void world.runDueJobs()
    await sleep(10)
  }
  assert.equal(host.connections, 2)
  release()
  await until(() => host.texts.length === 16, 1000)
})

test('a large email to many silent hosts is in memory a few times at once and does not delay other mail', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `deaf${index}.test`)
  const hosts = await Promise.all(
    names.map((name, index) => {
      world.domainAt(name, `127.0.8.${index + 1}`)
      return hold(`127.0.8.${index + 1}`, '550 5.1.1 Nobody here\r\n')
    }),
  )
  const reached = () => hosts.filter(({ host }) => host.connections > 0).length
  const large = (from: string, to: string[], megabytes: number) => {
    const file = { filename: 'large.bin', content: Buffer.alloc(megabytes * 1024 * 1024).toString('base64') }
    return { from: `hello@${from}`, to, subject: 'Large', text: 'Large.', attachments: [file] }
  }
  const to = names.map((name) => `a@${name}`)
  const { id } = (await sender.team.api.post('/v1/emails', large(sender.domain, to, 20))).body
  // A team alone may hold two thirds of 128 MiB.
  await until(() => reached() === 4, 20)
  const quick = await world.host('127.0.8.100')
  world.domainAt('quick8.test', '127.0.8.100')
  const other = await world.sender()
  await sender.send('a@quick8.test')
  await other.team.api.post('/v1/emails', large(other.domain, ['b@quick8.test'], 5))
  await until(() => quick.messages.length === 2, 20)
  assert.equal(reached(), 4)
  for (const { release } of hosts) release()
  await until(() => reached() === hosts.length, 100)
  const story = () => sender.story(id)
  await until(async () => (await story()).length === 7)
  // Waiting for memory does not count as a failure.
  assert.deepEqual(await story(), ['sent', ...Array(5).fill('bounced'), 'bounced'])
})

test('mail that waits for a resting host is tried again at different times', async () => {
  world.domainAt('down.test', '127.0.9.1')
  for (const count of [3, 20]) {
    await sendMany('a@down.test', count)
    await world.runDueJobs()
  }
  const { rows } = await sql<{ times: number }>`
    select count(distinct run_at)::int as times from jobs
    where payload ->> 'domain' = 'down.test' and run_at >= ${new Date(world.posthorn.clock.now().getTime() + 20_000)}
  `.execute(world.posthorn.app.db)
  assert.equal(rows[0]!.times, 20)
})
