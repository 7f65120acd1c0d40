import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { absent, accepted, toldProvider } from './fixtures/told-provider.ts'

const { provider, handed, told, copiesOf } = toldProvider()
const posthorn = await createTestApp({ EMAIL_UNREACHABLE: 'refuse' }, { emailProvider: provider })

const emailFrom = (team: TestTeam, to: string) => ({
  from: `a@${team.domain}`,
  to: [to],
  subject: 'Your code',
  text: '4711',
})

test('with EMAIL_UNREACHABLE=refuse an absent provider is 502, nothing is kept, and the key may be used again', async () => {
  const team = await posthorn.team()
  const email = emailFrom(team, 'ada@example.com')
  told.answer = absent
  const failed = await team.api.post('/v1/emails', email, { 'idempotency-key': 'again' })
  assert.deepEqual([failed.status, failed.body.name], [502, 'provider_error'])
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 0)
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  told.answer = accepted
  assert.equal((await team.api.post('/v1/emails', email, { 'idempotency-key': 'again' })).status, 200)
})

test('with EMAIL_UNREACHABLE=refuse the first failure ends a batch: those before it are sent, those after it are not', async () => {
  const team = await posthorn.team()
  const emails = [1, 2, 3, 4].map((number) => emailFrom(team, `n${number}@example.com`))
  told.answer = (message) => (message.envelope.to[0] === 'n3@example.com' ? absent(message) : accepted(message))
  const failed = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch' })
  told.answer = accepted
  assert.equal(failed.status, 400)
  assert.deepEqual(Object.keys(failed.body).sort(), ['error', 'index'])
  assert.equal(failed.body.index, 2)
  assert.equal((await team.api.get('/v1/emails')).body.total, 2)
  const repeated = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch' })
  assert.deepEqual([repeated.status, repeated.body], [400, failed.body])
})

const laterIsSent = {
  error:
    'The mail relay could not be reached. Nothing was sent for this email. ' +
    'Later emails whose sending had begun are sent all the same, by index: 1.',
  index: 0,
}

/** Sends a batch whose first email fails once `fail` is called, and lets a worker begin the scheduled second one. */
async function failWhileWorkerSends(answer: typeof accepted) {
  const team = await posthorn.team()
  const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
  told.answer = async (message) => {
    if (message.envelope.to[0] !== 'now@example.com') return answer(message)
    await failing
    return absent(message)
  }
  const before = handed.length
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 2000).toISOString()
  const emails = [emailFrom(team, 'now@example.com'), { ...emailFrom(team, 'later@example.com'), scheduledAt }]
  const batch = team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'begun' })
  const again = () => team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'begun' })
  await until(() => handed.length === before + 1)
  const running = posthorn.runDueJobsAfter(2000)
  await until(() => handed.length === before + 2)
  return { team, batch, again, fail, running, id: handed.at(-1)!.emailId }
}

test('a scheduled email that a worker sends while its batch fails is recorded as sent', async () => {
  const { promise: taking, resolve: take } = Promise.withResolvers<void>()
  const { team, batch, again, fail, running, id } = await failWhileWorkerSends(async (message) => {
    await taking
    return accepted(message)
  })
  fail()
  const { status, body } = await batch
  assert.deepEqual([status, body], [400, laterIsSent])
  take()
  await running
  assert.deepEqual((await again()).body, laterIsSent)
  assert.equal((await ok(team.api.get(`/v1/emails/${id}`))).status, 'sent')
})

test('a scheduled email that a worker could not send before its batch failed is tried again', async () => {
  const { team, batch, fail, running, id } = await failWhileWorkerSends(absent)
  await running
  fail()
  assert.equal((await batch).status, 400)
  told.answer = accepted
  await posthorn.runDueJobsAfter(5000)
  assert.equal((await ok(team.api.get(`/v1/emails/${id}`))).status, 'sent')
  assert.equal(copiesOf(id).length, 2)
})

test('a later email that another process has taken over is named by a batch that fails, and sent', async () => {
  const team = await posthorn.team()
  const { promise: failing, resolve: fail } = Promise.withResolvers<void>()
  told.answer = async (message) => {
    await failing
    return absent(message)
  }
  const emails = [1, 2, 3].map((number) => emailFrom(team, `n${number}@example.com`))
  const send = () => team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'taken' })
  const before = handed.length
  const batch = send()
  await until(() => handed.length === before + 1)
  const { data } = await ok(team.api.get('/v1/emails'))
  const { id } = data.find(({ to }: { to: string[] }) => to[0] === 'n2@example.com')
  await sql`update jobs set lease_token = gen_random_uuid() where key = ${id}`.execute(posthorn.app.db)
  fail()
  const { status, body } = await batch
  assert.deepEqual([status, body], [400, laterIsSent])
  told.answer = accepted
  await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs)
  assert.deepEqual((await send()).body, laterIsSent)
  assert.equal((await ok(team.api.get('/v1/emails'))).total, 1)
  assert.equal(copiesOf(id).length, 1)
  assert.equal(handed.length, before + 2)
})
