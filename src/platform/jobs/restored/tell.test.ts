import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { createTestApp, ok } from '../../../../test/app.ts'
import { onServer } from '../../../../test/database.ts'
import { deliverEmailJob } from '../../../emails/jobs.ts'
import { holdBackDueJobs } from './hold-back.ts'

let database: pg.ClientConfig = {}
const through = async (config: pg.ClientConfig) => {
  database = config
  return config
}
const posthorn = await createTestApp({}, { through })
const { app, clock } = posthorn

test('a worker tells the emails of discarded jobs that a restore was killed before it told, each once', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello', scheduledAt }
  const ids = [1, 2, 3].map(async () => (await ok(team.api.post('/v1/emails', email))).id as string)
  const [first, second, third] = await Promise.all(ids)
  clock.advance(120_000)
  const restored = {
    discard: [deliverEmailJob.kind],
    note: [],
    madeAt: '2030-06-15T12:00:30.000Z',
    restoredAt: clock.now(),
  }
  assert.equal(await onServer(database, (client) => holdBackDueJobs(client, restored)), 3)
  // This one cannot be told.
  await sql`update discarded_jobs set key = 'nonsense' where key = ${second!}`.execute(app.db)
  await posthorn.runDueJobs()
  const statusOf = async (id: string | undefined) => (await ok(team.api.get(`/v1/emails/${id}`))).status
  assert.deepEqual(
    [await statusOf(first), await statusOf(second), await statusOf(third)],
    ['bounced', 'scheduled', 'bounced'],
  )
  const events = await ok(team.api.get(`/v1/emails/${first}/events`))
  assert.equal(JSON.stringify(events).split('Restored from a backup of 2030-06-15T12:00:30.000Z').length, 2)
  assert.equal((await sql`select from jobs where kind = 'jobs.tell-restored'`.execute(app.db)).rows.length, 0)
})
