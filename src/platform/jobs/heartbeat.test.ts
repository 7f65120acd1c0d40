import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { databaseProxy } from '../../../test/database-proxy.ts'
import { enqueueHeldJobs } from './enqueue.ts'
import { createHeartbeat } from './heartbeat.ts'
import { type Job, systemJob } from './job.ts'
import { lockHeldJobs } from './leases.ts'

const database = databaseProxy()
after(() => database.close())
const { app, clock } = await createTestApp({}, { through: database.through })
const { leaseMs } = app.jobs

async function heldJobs(count: number): Promise<Job[]> {
  const jobs = Array.from({ length: count }, () => ({ key: app.newId() }))
  return app.transaction((tx) => enqueueHeldJobs(tx, systemJob('test.held'), jobs))
}

/** Returns how long the lease still lasts, in ms. */
async function leftOf({ id }: Job): Promise<number> {
  const { rows } = await sql<{ due: Date }>`select run_at as due from jobs where id = ${id}`.execute(app.db)
  return rows[0]!.due.getTime() - clock.now().getTime()
}

test('leases are extended once they are older than they should be, and not before', async () => {
  const [job] = await heldJobs(1)
  const heartbeat = createHeartbeat(() => app, leaseMs)
  heartbeat.hold(job!)
  clock.advance(5000)
  await heartbeat.keepAlive()
  assert.equal(await leftOf(job!), leaseMs - 5000)
  clock.advance(leaseMs)
  await heartbeat.keepAlive()
  assert.equal(await leftOf(job!), leaseMs)
  heartbeat.stopBeating()
})

test('a lease whose job is recording a step is extended as soon as that is done, and one that was lost stays lost', async () => {
  const [busy, lost, other] = await heldJobs(3)
  const heartbeat = createHeartbeat(() => app, leaseMs)
  for (const job of [busy!, { ...lost!, leaseToken: app.newId() }, other!]) heartbeat.hold(job)
  clock.advance(20_000)
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const step = app.transaction(async (tx) => {
    await lockHeldJobs(tx, [busy!])
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const beat = heartbeat.keepAlive()
  while ((await leftOf(other!)) < leaseMs) await new Promise(setImmediate)
  assert.equal(await leftOf(busy!), leaseMs - 20_000)
  end.resolve()
  await Promise.all([step, beat])
  assert.equal(await leftOf(busy!), leaseMs)
  assert.equal(await leftOf(lost!), leaseMs - 20_000)
  heartbeat.stopBeating()
})

test('a process whose leases cannot be extended does not go on to claim, as it would claim jobs that it still runs', async () => {
  const [job] = await heldJobs(1)
  const heartbeat = createHeartbeat(() => app, leaseMs)
  heartbeat.hold(job!)
  clock.advance(leaseMs)
  database.cut()
  await assert.rejects(heartbeat.keepAlive(), /could not be extended/)
  database.mend()
  await heartbeat.keepAlive()
  assert.equal(await leftOf(job!), leaseMs)
  heartbeat.stopBeating()
})

test('the lease of a job that is held twice is extended until both have let it go', async () => {
  const [job] = await heldJobs(1)
  const heartbeat = createHeartbeat(() => app, leaseMs)
  const releases = [heartbeat.hold(job!), heartbeat.hold(job!)]
  for (const wanted of [leaseMs, 0]) {
    releases.pop()!()
    clock.advance(leaseMs)
    await heartbeat.keepAlive()
    assert.equal(await leftOf(job!), wanted)
  }
  heartbeat.stopBeating()
})
