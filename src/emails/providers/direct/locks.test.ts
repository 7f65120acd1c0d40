import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { promptMs, until } from '../../../../test/patience.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { extendLeases } from '../../../platform/jobs/leases.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()
const { app } = world.posthorn
const host = await world.script('127.0.10.1')
world.domainAt('locked.test', '127.0.10.1')

async function within(work: Promise<unknown>, what: string) {
  const late = sleep(promptMs, 'late', { ref: false })
  assert.notEqual(await Promise.race([work.then(() => 'done'), late]), 'late', what)
}

/** Runs a query in another transaction, which keeps its locks until the returned function is called. */
async function lock(query: RawBuilder<unknown>): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const locking = app.transaction(async ({ db }) => {
    await query.execute(db)
    locked.resolve()
    await over.promise
  })
  await Promise.race([locked.promise, locking])
  return () => {
    over.resolve()
    return locking
  }
}

test('an email is dispatched and recorded while events of the same email are being written', async () => {
  const scheduledAt = new Date(world.posthorn.clock.now().getTime() + 60_000).toISOString()
  const email = { from: `hello@${sender.domain}`, to: ['a@locked.test'], subject: 'Later', text: 'Later.', scheduledAt }
  const { id } = (await sender.team.api.post('/v1/emails', email)).body
  // The foreign key of an event locks the email in this way.
  const end = await lock(sql`select from emails where id = ${id} for key share`)
  const running = world.pass(60_000)
  await within(running, 'it waits for whoever writes an event').finally(end)
  await running
  assert.deepEqual(await sender.story(id), ['sent', 'delivered', 'delivered'])
})

test('a host’s connection is free as soon as it has answered, before the outcome is recorded', async () => {
  const before = host.texts.length
  const first = await Promise.all(Array.from({ length: 5 }, () => sender.send('a@locked.test')))
  const end = await lock(sql`select from emails where id = any(${first.map(({ id }) => id)}::uuid[]) for update`)
  const sending: Promise<unknown>[] = [world.runDueJobs()]
  const texts = async (count: number) => {
    await until(() => host.texts.length >= before + count)
    assert.equal(host.texts.length, before + count)
  }
  try {
    await texts(5)
    await sender.send('a@locked.test')
    sending.push(world.runDueJobs())
    await texts(6)
  } finally {
    await end()
  }
  await Promise.all(sending)
  assert.deepEqual(await sender.story(first[0]!.id), ['sent', 'delivered', 'delivered'])
})

test('leases are extended without waiting for a job that is being finished', async () => {
  const scheduledAt = new Date(world.posthorn.clock.now().getTime() + 60_000).toISOString()
  const emails = ['a', 'b'].map((name) => ({
    ...{ from: `hello@${sender.domain}`, to: [`${name}@locked.test`], subject: 'Later', text: 'Later.', scheduledAt },
  }))
  const { data } = (await sender.team.api.post('/v1/emails/batch', { emails })).body
  const keys: string[] = data.map(({ id }: { id: string }) => id)
  const { rows: jobs } = await sql<Pick<Job, 'id' | 'leaseToken'>>`
    update jobs set lease_token = gen_random_uuid() where key = any(${keys}) returning id, lease_token as "leaseToken"
  `.execute(app.db)
  assert.equal(jobs.length, 2)
  const dueOf = async ({ id }: { id: string }) => {
    return (await sql<{ due: Date }>`select run_at as due from jobs where id = ${id}`.execute(app.db)).rows[0]!.due
  }
  const dues = await Promise.all(jobs.map(dueOf))
  const end = await lock(sql`select from jobs where id = ${jobs[0]!.id} for update`)
  const extending = app.transaction((tx) => extendLeases(tx, jobs as Job[]))
  await within(extending, 'it waits for the job').finally(end)
  await extending
  const after = await Promise.all(jobs.map(dueOf))
  assert.deepEqual(after[0], dues[0])
  assert.notDeepEqual(after[1], dues[1])
})
