import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { promptMs, until } from '../../../test/patience.ts'
import { accepted, toldProvider } from './dispatch/fixtures/told-provider.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()
const body = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Once', text: 'x' }

test('requests with the same key and body send once and get the same answer, also in a race', async () => {
  const key = { 'idempotency-key': 'race' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => team.api.post('/v1/emails', body, key)))
  assert.deepEqual([...new Set(answers.map((answer) => answer.text))].length, 1, answers[0]!.text)
  assert.equal(answers[0]!.status, 200)
  const reordered = { text: 'x', subject: 'Once', to: ['ada@example.com'], from: body.from }
  assert.deepEqual((await team.api.post('/v1/emails', reordered, key)).body, answers[0]!.body)
  assert.equal((await team.api.get('/v1/emails')).body.total, 1)
})

test('the same key with another body is 409 idempotency_key_reused', async () => {
  await team.api.post('/v1/emails', body, { 'idempotency-key': 'body' })
  const reused = await team.api.post('/v1/emails', { ...body, subject: 'Other' }, { 'idempotency-key': 'body' })
  assert.deepEqual([reused.status, reused.body.name], [409, 'idempotency_key_reused'])
})

test('bodies whose numbers differ in the last digit are different, and equal numbers are the same', async () => {
  const send = (digits: string) =>
    team.api.post(
      '/v1/emails',
      { ...body, subject: 'Order {{n}}', templateVariables: { n: JSON.rawJSON(digits) } },
      { 'idempotency-key': 'digits' },
    )
  const first = await send('8202522731445525542')
  assert.equal(first.status, 200, first.text)
  assert.equal((await team.api.get(`/v1/emails/${first.body.id}`)).body.subject, 'Order 8202522731445525542')
  const reused = await send('8202522731445525543')
  assert.deepEqual([reused.status, reused.body.name], [409, 'idempotency_key_reused'])
  assert.equal((await send('8202522731445525.542e3')).body.id, first.body.id)
})

test('a refused request does not use up its key', async () => {
  const key = { 'idempotency-key': 'refused' }
  assert.equal((await team.api.post('/v1/emails', { ...body, from: 'a@elsewhere.test' }, key)).status, 403)
  assert.equal((await team.api.post('/v1/emails', body, key)).status, 200)
})

test('keys belong to a team and an endpoint', async () => {
  const other = await posthorn.team()
  const key = { 'idempotency-key': 'scope' }
  const mine = await team.api.post('/v1/emails', body, key)
  const theirs = await other.api.post('/v1/emails', { ...body, from: `a@${other.domain}` }, key)
  const batch = await team.api.post('/v1/emails/batch', { emails: [body] }, key)
  assert.equal(theirs.status, 200)
  assert.equal(batch.status, 200)
  assert.equal(new Set([mine.body.id, theirs.body.id, batch.body.data[0].id]).size, 3)
})

test('scheduled emails and batches repeat their first answer, even after they were sent or cancelled', async () => {
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const first = await team.api.post('/v1/emails', { ...body, scheduledAt }, { 'idempotency-key': 'later' })
  await team.api.post(`/v1/emails/${first.body.id}/cancel`)
  const again = await team.api.post('/v1/emails', { ...body, scheduledAt }, { 'idempotency-key': 'later' })
  assert.deepEqual(again.body, first.body)
  const batch = { emails: [body, { ...body, scheduledAt }] }
  const [one, two] = await Promise.all(
    [1, 2].map(() => team.api.post('/v1/emails/batch', batch, { 'idempotency-key': 'batch' })),
  )
  assert.deepEqual(one!.body, two!.body)
})

test('keys that are not 1 to 255 characters of printable ASCII are 400', async () => {
  for (const key of ['', 'x'.repeat(256), 'ä', 'a\tb']) {
    const refused = await team.api.post('/v1/emails', body, { 'idempotency-key': key })
    assert.equal(refused.status, 400, JSON.stringify(key))
  }
})

test('a key restricted to a domain does not read back what another domain has sent', async () => {
  const second = await team.api.post('/v1/domains', { name: 'second.test' })
  await team.api.post(`/v1/domains/${second.body.id}/verify`)
  const scoped = await team.newKey({ domainId: second.body.id })
  await team.api.post('/v1/emails', body, { 'idempotency-key': 'cross' })
  const refused = await scoped.api.post('/v1/emails', body, { 'idempotency-key': 'cross' })
  assert.deepEqual([refused.status, refused.body.name], [403, 'authorization_error'])
  const batch = await scoped.api.post('/v1/emails/batch', { emails: [body] }, { 'idempotency-key': 'batch' })
  assert.deepEqual([batch.status, batch.body.index], [400, 0])
})

test('a key is remembered for 24 hours and not for ever', async () => {
  const own = await posthorn.team()
  const email = { ...body, from: `a@${own.domain}` }
  const key = { 'idempotency-key': 'a day' }
  const first = (await own.api.post('/v1/emails', email, key)).body.id
  await posthorn.runDueJobsAfter(24 * 3_600_000)
  assert.equal((await own.api.post('/v1/emails', email, key)).body.id, first)
  await posthorn.runDueJobsAfter(25 * 3_600_000)
  assert.notEqual((await own.api.post('/v1/emails', email, key)).body.id, first)
})

test('a repeat waits 40 s for its first request, however long each look at the database takes', async ({ mock }) => {
  const { provider, handed, told } = toldProvider()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  told.answer = (message) => answered.then(() => accepted(message))
  const own = await (await createTestApp({}, { emailProvider: provider })).team()
  const send = () => own.api.post('/v1/emails', { ...body, from: `a@${own.domain}` }, { 'idempotency-key': 'slow' })
  const first = send()
  await until(() => handed.length === 1)
  const real = performance.now.bind(performance)
  let passedMs = 0
  mock.method(performance, 'now', () => real() + passedMs)
  const repeated = send()
  let isAnswered = false
  void repeated.then(() => {
    isAnswered = true
  })
  for (const endsAt = real() + promptMs; !isAnswered && real() < endsAt; passedMs += 1000)
    await new Promise(setImmediate)
  assert.ok(isAnswered)
  assert.deepEqual([(await repeated).status, (await repeated).body.name], [503, 'unavailable'])
  answer()
  await ok(first)
})
