import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { absent, accepted, toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import { discardJob } from '../platform/jobs/discarded/retry.ts'
import { nextMidnight } from '../platform/time/clock.ts'
import { ask } from '../privacy/fixtures/ask.ts'
import { createAudience, readers } from './fixtures/audience.ts'

const { provider, told } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })
const { db } = posthorn.app

const counted = async (team: TestTeam) => (await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday

async function sendOne(team: TestTeam) {
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Your code', text: '4711' }
  return (await team.api.post('/v1/emails', email)).status
}

/** Makes two emails of a broadcast shortly before midnight, and sends a single one after it. The limit is two a day. */
async function waitPastMidnight() {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 2 } })
  const { segmentId, contactIds } = await createAudience(posthorn, team, readers(3))
  posthorn.clock.set(new Date(nextMidnight(posthorn.clock.now()).getTime() - 60_000))
  told.answer = absent
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  await team.api.post(`/v1/broadcasts/${id}/send`)
  await posthorn.runDueJobs()
  assert.equal(await counted(team), 2)
  told.answer = accepted
  posthorn.clock.advance(60_000)
  assert.equal(await sendOne(team), 200)
  return { team, id, contactIds }
}

test('emails that a cancellation ends after midnight leave no room for more than the new day’s limit', async () => {
  const { team, id } = await waitPastMidnight()
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).status, 200)
  assert.equal((await team.api.get('/v1/emails?status=cancelled')).body.total, 2)
  assert.equal(await counted(team), 1)
  assert.deepEqual([await sendOne(team), await sendOne(team)], [200, 429])
})

test('emails whose recipients unsubscribe count against the day on which they were made', async () => {
  const { team, contactIds } = await waitPastMidnight()
  for (const id of contactIds) await team.api.patch(`/v1/contacts/${id}`, { unsubscribed: true })
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get('/v1/emails?status=cancelled')).body.total, 2)
  assert.equal(await counted(team), 1)
})

/** Makes two emails of a broadcast to three people, whose sending begins an hour later. The limit is two a day. */
async function twoWaiting() {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 2 } })
  const { segmentId } = await createAudience(posthorn, team, readers(3))
  const wait = `begin if new.kind = 'emails.deliver' then new.run_at := new.run_at + interval '1 hour'; end if; return new; end`
  await sql.raw(`create or replace function wait() returns trigger language plpgsql as $$ ${wait} $$`).execute(db)
  await sql`create trigger wait before insert on jobs for each row execute function wait()`.execute(db)
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  await team.api.post(`/v1/broadcasts/${id}/send`)
  await posthorn.runDueJobs()
  await sql`drop trigger wait on jobs`.execute(db)
  assert.equal(await counted(team), 2)
  const { data } = await ok(team.api.get('/v1/emails?status=scheduled'))
  const cancel = async (index: 0 | 1) => (await team.api.post(`/v1/emails/${data[index].id}/cancel`)).status
  const cancelAll = async () => (await team.api.post(`/v1/broadcasts/${id}/cancel`)).status
  return { team, id, cancel, cancelAll, addresses: data.map(({ to }: { to: string[] }) => to[0]) as [string, string] }
}

test('an email of a broadcast that is cancelled alone returns its place of the day, once', async () => {
  const { team, cancel, cancelAll } = await twoWaiting()
  const statuses = await Promise.all([cancel(0), cancel(0)])
  assert.deepEqual(statuses.sort(), [200, 409])
  assert.equal(await counted(team), 1)
  assert.deepEqual([await sendOne(team), await sendOne(team)], [200, 429])
  assert.equal(await cancelAll(), 200)
  assert.equal(await counted(team), 1)
})

test('an email of a failed broadcast that is cancelled alone is not queued any more', async () => {
  const { team, id, cancel } = await twoWaiting()
  const job = await db.selectFrom('jobs').select('id').where('key', '=', id).executeTakeFirstOrThrow()
  await discardJob(posthorn.app, job.id)
  assert.equal(await cancel(0), 200)
  const { data } = await ok(team.api.get(`/v1/broadcasts/${id}/recipients`))
  const statuses = data.map(({ status }: { status: string }) => status)
  assert.deepEqual(statuses.sort(), ['cancelled', 'failed', 'queued'])
})

test('an email that is cancelled together with its broadcast returns its place once', async () => {
  const { team, cancel, cancelAll } = await twoWaiting()
  await sendOne(team)
  await Promise.all([cancel(0), cancelAll(), cancel(1)])
  assert.equal((await team.api.get('/v1/emails?status=cancelled')).body.total, 2)
  assert.equal(await counted(team), 0)
})

test('an email that is cancelled while it is being sent returns nothing if it is sent', async () => {
  const { team, cancel } = await twoWaiting()
  posthorn.clock.advance(3_600_000)
  const [, ...statuses] = await Promise.all([posthorn.runDueJobs(), cancel(0), cancel(1)])
  const cancelled = statuses.filter((status) => status === 200).length
  assert.equal((await team.api.get('/v1/emails?status=cancelled')).body.total, cancelled)
  const made = (await team.api.get('/v1/emails')).body.total
  assert.equal(await counted(team), made - cancelled)
})

test('an email of a broadcast that was made yesterday returns nothing to the day on which it is cancelled', async () => {
  const { team, cancel } = await twoWaiting()
  posthorn.clock.set(nextMidnight(posthorn.clock.now()))
  assert.equal(await sendOne(team), 200)
  assert.equal(await cancel(0), 200)
  assert.equal(await counted(team), 1)
})

slowTest('an email of a broadcast that is erased alone returns its place of the day, once', async () => {
  const { team, cancelAll, addresses } = await twoWaiting()
  for (const left of [1, 1]) {
    const { api, path } = await ask(team, { type: 'erase', email: addresses[0] })
    await posthorn.runDueJobs()
    assert.equal((await ok(api.get(path))).status, 'done')
    assert.equal(await counted(team), left)
  }
  assert.equal(await cancelAll(), 200)
  assert.equal(await counted(team), 0)
})
