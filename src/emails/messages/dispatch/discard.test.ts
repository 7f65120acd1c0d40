import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { endFailedAttempt } from '../../../platform/jobs/attempts.ts'
import { claimJobs } from '../../../platform/jobs/claim.ts'
import { retryJob } from '../../../platform/jobs/discarded/retry.ts'
import { listJobs } from '../../../platform/jobs/list.ts'

const posthorn = await createTestApp()
const { app, clock } = posthorn
const hourMs = 3_600_000
const all = { kind: null, isFailing: false, isDiscarded: false }

type Bounced = { bounce: { bouncedRecipients: { emailAddress: string }[] } }

async function schedule(team: TestTeam, to: string[] = ['ada@people.test']): Promise<string> {
  const scheduledAt = new Date(clock.now().getTime() + hourMs).toISOString()
  const email = { from: `a@${team.domain}`, to, subject: 'Hello', text: 'Hello', scheduledAt }
  const { status, body } = await team.api.post('/v1/emails', email)
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

/** Makes composing the email throw, as a bug of ours would. */
function poison(id: string, from = 'nonsense') {
  return app.db.updateTable('emails').set({ from_address: from }).where('id', '=', id).execute()
}

async function runFor(hours: number): Promise<void> {
  for (let passed = 0; passed < hours * 4; passed++) {
    await posthorn.runDueJobsAfter(hourMs / 4)
  }
}

/** The jobs of an email as `posthorn jobs list` prints them. */
async function jobsOf(id: string) {
  const jobs = await Array.fromAsync(listJobs(app.db, all))
  return jobs.filter(({ key }) => key?.startsWith(id))
}

async function gaugeOf(series: string): Promise<number> {
  // Older numbers are kept for five seconds.
  clock.advance(6000)
  const { text } = await posthorn.anyone.get('/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

slowTest(
  'an email that cannot be composed bounces within a day with the reason, and the metrics show it on the way',
  async () => {
    const team = await posthorn.team()
    const id = await schedule(team, ['ada@people.test', 'bob@people.test'])
    await poison(id)
    await runFor(2)
    assert.equal(await gaugeOf('posthorn_jobs_failing{kind="emails.deliver"}'), 1)
    assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'scheduled')
    await runFor(24)
    const { body: email } = await team.api.get(`/v1/emails/${id}`)
    assert.equal(email.status, 'bounced')
    const { body: events } = await team.api.get(`/v1/emails/${id}/events`)
    const bounces = events.filter(({ type }: { type: string }) => type === 'bounced')
    assert.deepEqual(
      bounces.map(({ data }: { data: Bounced }) => data.bounce.bouncedRecipients[0]!.emailAddress).sort(),
      ['ada@people.test', 'bob@people.test'],
      JSON.stringify(events),
    )
    assert.match(JSON.stringify(bounces[0].data), /Given up: An address .* cannot be read/)
    assert.equal(await gaugeOf('posthorn_jobs_failing{kind="emails.deliver"}'), 0)
    assert.equal(await gaugeOf('posthorn_jobs_discarded{kind="emails.deliver"}'), 1)
    const [job, ...others] = await jobsOf(id)
    assert.deepEqual([job!.state, others.length], ['discarded', 0])
    assert.match(job!.error!, /cannot be read/)
    assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 0, 'the addresses stay usable')
    await posthorn.runDueJobsAfter(31 * 24 * hourMs)
    assert.deepEqual(await jobsOf(id), [], 'kept for 30 days')
  },
)

test('an email whose signing fails within the request is accepted as delayed, and is sent once that is mended', async () => {
  const team = await posthorn.team()
  const domain = app.db.updateTable('domains').where('id', '=', team.domainId)
  const { dkim_private_key: key } = await app.db
    .selectFrom('domains')
    .select('dkim_private_key')
    .where('id', '=', team.domainId)
    .executeTakeFirstOrThrow()
  await domain.set({ dkim_private_key: 'nonsense' }).execute()
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Your code', text: '4711' }
  const [sent, batch] = [
    await team.api.post('/v1/emails', email, { 'idempotency-key': 'code' }),
    await team.api.post('/v1/emails/batch', { emails: [email, email] }),
  ]
  assert.deepEqual([sent.status, sent.body.status, batch.status], [200, 'delayed', 200], sent.text + batch.text)
  const { body: events } = await team.api.get(`/v1/emails/${sent.body.id}/events`)
  assert.deepEqual(pluck(events, 'type'), ['delivery_delayed'])
  assert.match(JSON.stringify(events[0].data), /could not be handed over because of an internal error/)
  const again = await team.api.post('/v1/emails', email, { 'idempotency-key': 'code' })
  assert.equal(again.body.id, sent.body.id)
  await domain.set({ dkim_private_key: key }).execute()
  await runFor(1)
  assert.equal((await team.api.get(`/v1/emails/${sent.body.id}`)).body.status, 'delivered')
})

slowTest('a discarded email that runs again is sent once its fault is mended', async () => {
  const team = await posthorn.team()
  const id = await schedule(team)
  await poison(id)
  await runFor(26)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'bounced')
  const [job] = await jobsOf(id)
  assert.equal(await retryJob(app, job!.id), 'was discarded')
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delayed')
  await poison(id, `a@${team.domain}`)
  await posthorn.runDueJobs()
  const { body: events } = await team.api.get(`/v1/emails/${id}/events`)
  const types = events.map(({ type }: { type: string }) => type)
  assert.deepEqual(
    types.filter((type: string) => type === 'sent'),
    ['sent'],
    JSON.stringify(types),
  )
  assert.deepEqual(await jobsOf(id), [])
  await assert.rejects(retryJob(app, job!.id), /There is no job/)
})

test('two processes that hold the last attempt of one email bounce it once', async () => {
  const team = await posthorn.team()
  const id = await schedule(team)
  await poison(id)
  clock.advance(hourMs)
  const definition = app.jobs.definitionOf('emails.deliver')!
  const claim = async () => {
    await app.db.updateTable('jobs').set({ failures: 27 }).where('key', '=', id).execute()
    const [job] = await claimJobs(app, [{ kind: 'emails.deliver', free: 1 }], randomUUID())
    return job!
  }
  const first = await claim()
  // The first process is suspended, and its lease runs out.
  clock.advance(60_000)
  const second = await claim()
  assert.deepEqual([first.key, second.key], [id, id])
  const error = new Error('It cannot be composed.')
  await Promise.all([first, second, first].map((job) => endFailedAttempt(app, definition, job, error)))
  const { body: events } = await team.api.get(`/v1/emails/${id}/events`)
  assert.deepEqual(pluck(events, 'type'), ['bounced'])
  assert.deepEqual(pluck(await jobsOf(id), 'state'), ['discarded'])
})

test('an email whose process is killed after its last attempt, and before that is recorded, bounces at the next take-up', async () => {
  const team = await posthorn.team()
  const id = await schedule(team)
  await poison(id)
  clock.advance(hourMs)
  await app.db.updateTable('jobs').set({ failures: 27 }).where('key', '=', id).execute()
  // The process that claims it dies.
  await claimJobs(app, [{ kind: 'emails.deliver', free: 1 }], randomUUID())
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'bounced')
  const { body: events } = await team.api.get(`/v1/emails/${id}/events`)
  assert.equal(events.length, 1, JSON.stringify(events))
})

test('an email during which processes end is taken up three times, and emails that they also held are sent', async () => {
  const team = await posthorn.team()
  const [poisoned, innocent] = [await schedule(team), await schedule(team)]
  clock.advance(hourMs)
  const claim = () => claimJobs(app, [{ kind: 'emails.deliver', free: 10 }], randomUUID())
  for (let takeUp = 0; takeUp < 4; takeUp++) {
    assert.equal((await claim()).length, 2)
    // Each process but the first notes that it composes the poisoned one, alone, and ends.
    if (takeUp > 0) await sql`update jobs set endings = endings + 1 where key = ${poisoned}`.execute(app.db)
    clock.advance(60_000)
  }
  await posthorn.runDueJobs()
  await posthorn.runDueJobsAfter(5000)
  assert.equal((await team.api.get(`/v1/emails/${poisoned}`)).body.status, 'bounced')
  assert.match(
    JSON.stringify((await team.api.get(`/v1/emails/${poisoned}/events`)).body),
    /Given up: The process ended 3 times/,
  )
  assert.equal((await team.api.get(`/v1/emails/${innocent}`)).body.status, 'delivered')
})

slowTest('an email that a killed process had and had not begun bounces when it cannot be composed', async () => {
  const team = await posthorn.team()
  const id = await schedule(team)
  await poison(id)
  clock.advance(hourMs)
  // The process that claims it dies.
  await claimJobs(app, [{ kind: 'emails.deliver', free: 1 }], randomUUID())
  await runFor(26)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'bounced')
  await poison(id, `a@${team.domain}`)
  const [job] = await jobsOf(id)
  await retryJob(app, job!.id)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
})
