import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { discardJob } from '../../../platform/jobs/discarded/retry.ts'
import { absent, accepted, toldProvider } from './fixtures/told-provider.ts'

const { provider, told, copiesOf, handed } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })
const team = await posthorn.team()
const hourMs = 3_600_000

async function storyOf(id: string): Promise<string[]> {
  const events = (await team.api.get(`/v1/emails/${id}/events`)).body as { type: string }[]
  const { status } = (await team.api.get(`/v1/emails/${id}`)).body as { status: string }
  return [...events.map(({ type }) => type).reverse(), status]
}

/**
 * Hands an email over, and leaves it as a process that was killed before the answer does. The next process finds the
 * provider absent.
 */
async function handOverAndDie(to: string): Promise<string> {
  const { promise: dead, resolve: end } = Promise.withResolvers<void>()
  told.answer = async (message) => {
    await dead
    return accepted(message)
  }
  const before = handed.length
  const answer = team.api.post('/v1/emails', { from: `a@${team.domain}`, to: [to], subject: 'Hello', text: 'x' })
  await until(() => handed.length > before)
  const id = handed.at(-1)!.emailId
  const left = { lease_token: crypto.randomUUID(), run_at: posthorn.clock.now() }
  await posthorn.app.db.updateTable('jobs').set(left).where('key', '=', id).execute()
  end()
  await answer
  told.answer = absent
  return id
}

test('an email that a killed process may have handed over does not bounce when the provider stays away', async () => {
  const id = await handOverAndDie('ada@example.com')
  await posthorn.runDueJobs()
  assert.deepEqual(await storyOf(id), ['delivery_delayed', 'delayed'])
  await posthorn.runDueJobsAfter(25 * hourMs)
  assert.deepEqual(await storyOf(id), ['delivery_delayed', 'sent', 'outcome_unknown', 'sent'])
  await posthorn.runDueJobsAfter(25 * hourMs)
  assert.equal(copiesOf(id).length, 3)
})

test('an email that a killed process may have handed over does not bounce when the next attempt fails', async () => {
  const id = await handOverAndDie('joe@example.com')
  told.answer = () => {
    throw new Error('It cannot be handed over.')
  }
  await posthorn.runDueJobs()
  told.answer = absent
  await posthorn.runDueJobsAfter(hourMs)
  await posthorn.runDueJobsAfter(25 * hourMs)
  assert.deepEqual(await storyOf(id), ['delivery_delayed', 'sent', 'outcome_unknown', 'sent'])
})

test('an email that a killed process may have handed over does not bounce when an operator discards its job', async () => {
  const id = await handOverAndDie('amy@example.com')
  const { app } = posthorn
  const job = await app.db.selectFrom('jobs').select('id').where('key', '=', id).executeTakeFirstOrThrow()
  await discardJob(app, job.id)
  assert.deepEqual(await storyOf(id), ['sent', 'outcome_unknown', 'sent'])
})

test('an email that a killed process may have handed over does not bounce when its job is discarded', async () => {
  const id = await handOverAndDie('eve@example.com')
  await posthorn.runDueJobs()
  const { app } = posthorn
  const job = await app.db.selectFrom('jobs').select('id').where('key', '=', id).executeTakeFirstOrThrow()
  await discardJob(app, job.id)
  assert.deepEqual(await storyOf(id), ['delivery_delayed', 'sent', 'outcome_unknown', 'sent'])
})

test('an email that a killed process may have handed over does not bounce when its recipient is suppressed', async () => {
  const id = await handOverAndDie('bob@example.com')
  await team.api.post('/v1/suppressions', { email: 'bob@example.com' })
  await posthorn.runDueJobs()
  assert.deepEqual(await storyOf(id), ['sent', 'outcome_unknown', 'sent'])
  for (let times = 0; times < 3; times++) await posthorn.runDueJobsAfter(hourMs)
  assert.deepEqual(await storyOf(id), ['sent', 'outcome_unknown', 'sent'])
  assert.equal(copiesOf(id).length, 1)
})

/** Schedules an email whose first attempt, an hour later, cannot be recorded. Returns its id once that is over. */
async function sendUnrecorded(to: string, isSuppressed = false): Promise<string> {
  const { app } = posthorn
  const scheduledAt = new Date(posthorn.clock.now().getTime() + hourMs).toISOString()
  const email = { from: `a@${team.domain}`, to: [to], subject: 'Hello', text: 'x', scheduledAt }
  const { id } = (await team.api.post('/v1/emails', email)).body
  if (isSuppressed) await team.api.post('/v1/suppressions', { email: to })
  await sql`
    create or replace function refuse_event() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$
  `.execute(app.db)
  await sql`
    create trigger refuse_event before insert on email_events for each row execute function refuse_event()
  `.execute(app.db)
  told.answer = accepted
  await posthorn.runDueJobsAfter(hourMs)
  await sql`drop trigger refuse_event on email_events`.execute(app.db)
  told.answer = absent
  return id
}

test('an email whose record fails after the hand-over does not bounce when the provider stays away', async () => {
  const id = await sendUnrecorded('ann@example.com')
  await posthorn.runDueJobsAfter(hourMs)
  await posthorn.runDueJobsAfter(25 * hourMs)
  assert.deepEqual(await storyOf(id), ['delivery_delayed', 'sent', 'outcome_unknown', 'sent'])
})

test('an email whose record fails bounces all the same if the provider was not given it', async () => {
  const id = await sendUnrecorded('eva@example.com', true)
  await posthorn.runDueJobsAfter(hourMs)
  assert.deepEqual(await storyOf(id), ['bounced', 'bounced'])
})
