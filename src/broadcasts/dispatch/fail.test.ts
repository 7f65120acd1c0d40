import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { retryJob } from '../../platform/jobs/discarded/retry.ts'
import { LeaseLost } from '../../platform/jobs/job.ts'
import { listJobs } from '../../platform/jobs/list.ts'
import { createAudience, readers, runFor } from '../fixtures/audience.ts'
import { skipRecipient } from './fail.ts'

const posthorn = await createTestApp()
const { app } = posthorn

async function begin(team: TestTeam, segmentId: string): Promise<string> {
  const content = { name: 'News', from: `news@${team.domain}`, segmentId, subject: 'Hi {{firstName}}', text: 'Hello' }
  const { body } = await team.api.post('/v1/broadcasts', content)
  assert.equal((await team.api.post(`/v1/broadcasts/${body.id}/send`)).status, 200)
  return body.id
}

/** Runs what is due now and then for sixty hours, or until the broadcast is sent. */
async function runUntilSent(team: TestTeam, id: string, everyMinutes: number): Promise<void> {
  for (let passed = 0; passed < 60 * 60; passed += everyMinutes) {
    await posthorn.runDueJobsAfter(everyMinutes * 60_000)
    if ((await team.api.get(`/v1/broadcasts/${id}`)).body.status === 'sent') return
  }
}

/** Does something to emails as they are inserted whose address matches, until the returned function is called. */
async function meddle(pattern: string, what: string): Promise<() => Promise<void>> {
  const body = `begin if new.to_addresses::text ~ '${pattern}' then ${what}; end if; return new; end`
  await sql.raw(`create or replace function meddle() returns trigger language plpgsql as $$ ${body} $$`).execute(app.db)
  await sql`create trigger meddle before insert on emails for each row execute function meddle()`.execute(app.db)
  return async () => void (await sql`drop trigger meddle on emails`.execute(app.db))
}
const refuse = `raise exception 'This row is poisoned.'`

test('a broadcast goes on without a recipient whose email cannot be made, and its figures say so', async () => {
  const team = await posthorn.team()
  const contacts = readers(30)
  contacts[7]!.email = 'poison@people.test'
  contacts[20]!.email = 'poison@other.test'
  const { segmentId, contactIds } = await createAudience(posthorn, team, contacts)
  const mend = await meddle('poison', refuse)
  const id = await begin(team, segmentId)
  await runFor(posthorn, 10)
  await mend()
  assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
  const { total, sent, skipped } = (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
  assert.deepEqual([total, sent, skipped], [30, 28, { unsubscribed: 0, suppressed: 0, notOptedIn: 0, failed: 2 }])
  const failed = (await team.api.get(`/v1/broadcasts/${id}/recipients?status=failed`)).body.data
  assert.deepEqual(
    failed.map(({ contactId, status }: Record<string, string>) => `${contactId} ${status}`).sort(),
    [`${contactIds[7]} failed`, `${contactIds[20]} failed`].sort(),
  )
})

test('a process that lost its job to another counts no recipient of it as failed', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const { segmentId } = await createAudience(posthorn, team, readers(3))
  const id = await begin(team, segmentId)
  await runFor(posthorn, 10)
  const counts = { attempts: 4, failures: 3, takeUps: 0, wasTakenUp: false, endings: 0, leasedUntil: new Date() }
  const lost = {
    id: '0',
    kind: 'broadcasts.dispatch',
    teamId: team.id,
    key: id,
    payload: {},
    ...counts,
    leaseToken: randomUUID(),
  }
  await assert.rejects(skipRecipient(app, lost, new Error('It failed.')), LeaseLost)
  const { sent, skipped } = (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
  assert.deepEqual([sent, skipped.failed], [1, undefined])
})

slowTest(
  'a broadcast whose email cannot be composed for one recipient counts it as failed, until it is sent after all',
  async () => {
    const team = await posthorn.team()
    const contacts = readers(3)
    contacts[1]!.email = 'spoilt@people.test'
    const { segmentId } = await createAudience(posthorn, team, contacts)
    const mend = await meddle('spoilt', `new.from_address = 'nonsense'`)
    const id = await begin(team, segmentId)
    await runUntilSent(team, id, 30)
    await mend()
    assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
    const { body: stats } = await team.api.get(`/v1/broadcasts/${id}/stats`)
    assert.deepEqual([stats.sent, stats.bounced, stats.skipped.failed], [2, 0, 1])
    await sql`update emails set from_address = ${`news@${team.domain}`} where from_address = 'nonsense'`.execute(app.db)
    const [job] = await Array.fromAsync(
      listJobs(app.db, { kind: 'emails.deliver', isFailing: false, isDiscarded: true }),
    )
    await retryJob(app, job!.id)
    await posthorn.runDueJobs()
    const { body: after } = await team.api.get(`/v1/broadcasts/${id}/stats`)
    assert.deepEqual([after.sent, after.bounced, after.skipped.failed], [3, 0, undefined])
  },
)

slowTest(
  'a broadcast of which no email can be made fails in the end, and goes on where it was once it may',
  async () => {
    const team = await posthorn.team()
    const { segmentId } = await createAudience(posthorn, team, readers(100))
    const mend = await meddle('reader', refuse)
    const id = await begin(team, segmentId)
    await runUntilSent(team, id, 15)
    const { body: stats } = await team.api.get(`/v1/broadcasts/${id}/stats`)
    assert.deepEqual([stats.total, stats.sent, stats.skipped.failed], [100, 0, 100])
    assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
    await mend()
    const filter = { kind: 'broadcasts.dispatch', isFailing: false, isDiscarded: true }
    const [job] = (await Array.fromAsync(listJobs(app.db, filter))).filter(({ key }) => key === id)
    assert.match(job!.error!, /25 recipients in a row failed/)
    await retryJob(app, job!.id)
    await runFor(posthorn, 1)
    const { body: after } = await team.api.get(`/v1/broadcasts/${id}/stats`)
    assert.deepEqual([after.sent, after.skipped.failed], [75, 25])
  },
)
