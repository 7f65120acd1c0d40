import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { absent, accepted, busy, lost, refused, toldProvider } from './fixtures/told-provider.ts'

const { provider, handed, told, copiesOf } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })
const team = await posthorn.team()
const hourMs = 3_600_000

const emailTo = (...to: string[]) => ({ from: `a@${team.domain}`, to, subject: 'Your code', text: '4711' })
const statusOf = async (id: string) => (await team.api.get(`/v1/emails/${id}`)).body.status as string

async function eventsOf(id: string) {
  return (await team.api.get(`/v1/emails/${id}/events`)).body as { type: string; data: Record<string, never> }[]
}

async function typesOf(id: string): Promise<string[]> {
  return (await eventsOf(id)).map(({ type }) => type).reverse()
}

const runAfter = posthorn.runDueJobsAfter

/** Sends while the provider behaves so, and lets it accept afterwards. */
async function sendWhile(behaviour: typeof accepted, to = 'ada@example.com') {
  told.answer = behaviour
  const sent = await team.api.post('/v1/emails', emailTo(to))
  told.answer = accepted
  assert.equal(sent.status, 200, sent.text)
  return sent.body as { id: string; status: string }
}

test('an email to an absent provider is accepted as delayed, tells why, and is sent once when the provider is back', async () => {
  const before = (await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday
  const { id, status } = await sendWhile(absent)
  assert.deepEqual([status, await statusOf(id)], ['delayed', 'delayed'])
  const [delay] = await eventsOf(id)
  assert.equal(delay!.type, 'delivery_delayed')
  assert.match(JSON.stringify(delay!.data), /"diagnosticCode":"unreachable"/)
  assert.equal((await team.api.post(`/v1/emails/${id}/cancel`)).status, 409)
  const at = new Date(posthorn.clock.now().getTime() + hourMs).toISOString()
  assert.equal((await team.api.patch(`/v1/emails/${id}`, { scheduledAt: at })).status, 409)
  await runAfter(5000)
  assert.equal(await statusOf(id), 'sent')
  assert.deepEqual(await typesOf(id), ['delivery_delayed', 'sent'])
  assert.equal(new Set(copiesOf(id).map(({ messageId }) => messageId)).size, 1)
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, before + 1)
})

test('a provider that says later is asked again with backoff, and the event has its code', async () => {
  const { id, status } = await sendWhile(busy)
  assert.equal(status, 'delayed')
  assert.match(JSON.stringify((await eventsOf(id))[0]), /"status":"4.7.1".*"diagnosticCode":"smtp; 451 4.7.1"/)
  told.answer = busy
  for (const ms of [5000, 30_000]) await runAfter(ms)
  told.answer = accepted
  await runAfter(119_000)
  assert.equal(copiesOf(id).length, 3)
  await runAfter(1000)
  assert.equal(await statusOf(id), 'sent')
})

slowTest('an email that no provider takes for 24 hours has bounced, and its address is not suppressed', async () => {
  const { id } = await sendWhile(absent, 'never@example.com')
  told.answer = absent
  for (let hours = 0; hours <= 25; hours++) await runAfter(hourMs)
  told.answer = accepted
  assert.equal(await statusOf(id), 'bounced')
  assert.match(JSON.stringify((await eventsOf(id))[0]), /Given up after 24 hours: unreachable/)
  assert.equal((await team.api.post('/v1/emails', emailTo('never@example.com'))).status, 200)
})

slowTest('an email that is refused for 24 hours by a policy bounces with the code of the policy', async () => {
  const { id } = await sendWhile(busy, 'policy@example.com')
  told.answer = busy
  for (let hours = 0; hours <= 25; hours++) await runAfter(hourMs)
  told.answer = accepted
  assert.match(JSON.stringify((await eventsOf(id))[0]), /"status":"5.7.1".*Given up after 24 hours: smtp; 451 4.7.1/)
})

test('an address that is suppressed while its email waits gets nothing, and the email has bounced', async () => {
  const { id } = await sendWhile(absent, 'late@example.com')
  await team.api.post('/v1/suppressions', { email: 'late@example.com' })
  await runAfter(5000)
  assert.equal(copiesOf(id).length, 1)
  assert.equal(await statusOf(id), 'bounced')
})

test('a request that is repeated with its key gets the first answer, and makes no second email', async () => {
  told.answer = absent
  const first = await team.api.post('/v1/emails', emailTo('key@example.com'), { 'idempotency-key': 'again' })
  told.answer = accepted
  await runAfter(5000)
  const second = await team.api.post('/v1/emails', emailTo('key@example.com'), { 'idempotency-key': 'again' })
  assert.deepEqual([second.status, second.body], [200, first.body])
  assert.equal(first.body.status, 'delayed')
  assert.equal(handed.filter(({ envelope }) => envelope.to[0] === 'key@example.com').length, 2)
})

test('every email of a batch is accepted while the provider is absent, which is asked once, and all are sent later', async () => {
  told.answer = absent
  const before = handed.length
  const emails = [1, 2, 3].map((number) => emailTo(`n${number}@example.com`))
  const { status, body } = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch' })
  told.answer = accepted
  assert.equal(status, 200)
  assert.deepEqual(pluck(body.data, 'status'), ['delayed', 'delayed', 'delayed'])
  assert.equal(handed.length, before + 1)
  await runAfter(5000)
  for (const { id } of body.data) assert.deepEqual(await typesOf(id), ['delivery_delayed', 'sent'])
})

test('a provider that says later to one email of a batch is given the next ones', async () => {
  told.answer = (message) => (message.envelope.to[0] === 'm2@example.com' ? busy(message) : accepted(message))
  const emails = [1, 2, 3].map((number) => emailTo(`m${number}@example.com`))
  const { body } = await team.api.post('/v1/emails/batch', { emails })
  told.answer = accepted
  assert.deepEqual(pluck(body.data, 'status'), ['sent', 'delayed', 'sent'])
})

test('an email whose answer is lost counts as sent, and is handed over again with the same Message-ID until it is answered', async () => {
  const { id, status } = await sendWhile(lost)
  assert.equal(status, 'sent')
  assert.deepEqual(await typesOf(id), ['sent', 'outcome_unknown'])
  assert.equal((await team.api.post(`/v1/emails/${id}/cancel`)).status, 409)
  await runAfter(5000)
  await runAfter(hourMs)
  assert.equal(copiesOf(id).length, 2)
  assert.equal(new Set(copiesOf(id).map(({ messageId, raw }) => `${messageId} ${raw}`)).size, 1)
  assert.deepEqual(await typesOf(id), ['sent', 'outcome_unknown'])
  assert.equal(await statusOf(id), 'sent')
})

for (const road of ['at once', 'later'] as const) {
  slowTest(
    `an email sent ${road} whose answers are always lost is handed over three times, and stays sent`,
    async () => {
      told.answer = lost
      const at = new Date(posthorn.clock.now().getTime() + 1000).toISOString()
      const body = { ...emailTo('ada@example.com'), ...(road === 'later' && { scheduledAt: at }) }
      const { id } = (await team.api.post('/v1/emails', body)).body
      for (let turn = 0; turn < 30; turn++) await runAfter(turn < 5 ? 5000 : hourMs)
      told.answer = accepted
      assert.equal(copiesOf(id).length, 3)
      assert.equal(await statusOf(id), 'sent')
      assert.deepEqual(await typesOf(id), ['sent', 'outcome_unknown', 'outcome_unknown', 'outcome_unknown'])
    },
  )
}

test('after a lost answer a provider that is gone is asked again, without a second event, until it takes the email', async () => {
  const { id } = await sendWhile(lost)
  told.answer = absent
  for (const ms of [5000, 30_000]) await runAfter(ms)
  told.answer = accepted
  await runAfter(hourMs)
  assert.ok(copiesOf(id).length >= 3)
  assert.deepEqual(await typesOf(id), ['sent', 'outcome_unknown'])
  assert.equal(await statusOf(id), 'sent')
  const count = copiesOf(id).length
  await runAfter(hourMs)
  assert.equal(copiesOf(id).length, count)
})

test('after a lost answer a repeat that is refused for good moves the email to bounced', async () => {
  const { id } = await sendWhile(lost, 'refused@example.com')
  told.answer = refused
  await runAfter(5000)
  told.answer = accepted
  assert.equal(await statusOf(id), 'bounced')
})

test('an address that is suppressed after its email may have arrived gets no repeat, and the email stays sent', async () => {
  const { id } = await sendWhile(lost, 'left@example.com')
  await team.api.post('/v1/suppressions', { email: 'left@example.com' })
  await runAfter(hourMs)
  assert.equal(copiesOf(id).length, 1)
  assert.deepEqual(await typesOf(id), ['sent', 'outcome_unknown'])
})

test('with EMAIL_LOST_REPLY=never an email whose answer is lost is not handed over again', async () => {
  const careful = await createTestApp({ EMAIL_LOST_REPLY: 'never' }, { emailProvider: provider })
  const shop = await careful.team()
  told.answer = lost
  const sent = await shop.api.post('/v1/emails', { ...emailTo('ada@example.com'), from: `a@${shop.domain}` })
  told.answer = accepted
  await careful.runDueJobsAfter(hourMs)
  assert.equal(sent.body.status, 'sent')
  assert.equal(copiesOf(sent.body.id).length, 1)
})

test('an immediate email that all recipients refuse permanently is answered as bounced', async () => {
  told.answer = refused
  const body = { from: `a@${team.domain}`, to: ['unknown@example.com'], subject: 'Now', text: 'x' }
  const sent = await team.api.post('/v1/emails', body)
  told.answer = accepted
  assert.deepEqual([sent.status, sent.body.status], [200, 'bounced'])
  assert.equal(await statusOf(sent.body.id), 'bounced')
  assert.equal((await team.api.post('/v1/emails', body)).status, 422)
})
