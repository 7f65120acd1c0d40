import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import type { DispatchOutcome, EmailProvider, OutboundMessage } from '../provider.ts'

const handed: OutboundMessage[] = []
let answer: (message: OutboundMessage) => DispatchOutcome = accepted

function accepted(message: OutboundMessage): DispatchOutcome {
  return { kind: 'answered', accepted: message.envelope.to, facts: [], response: '250 ok' }
}

/** A provider whose outcomes a test decides. */
const provider: EmailProvider = {
  name: 'peer',
  signs: false,
  async send(message) {
    handed.push(message)
    return answer(message)
  },
  close: async () => undefined,
}

const posthorn = await createTestApp({}, { emailProvider: provider })
const team = await posthorn.team()
const hourMs = 3_600_000

function later(ms: number): string {
  return new Date(posthorn.clock.now().getTime() + ms).toISOString()
}

async function schedule(ms = hourMs) {
  const body = {
    from: `a@${team.domain}`,
    to: ['ada@example.com'],
    subject: 'Later',
    text: 'x',
    scheduledAt: later(ms),
  }
  const made = await team.api.post('/v1/emails', body)
  assert.equal(made.status, 200, made.text)
  assert.equal(made.body.status, 'scheduled')
  return made.body as { id: string; scheduledAt: string }
}

async function statusOf(id: string): Promise<string> {
  return (await team.api.get(`/v1/emails/${id}`)).body.status
}

async function typesOf(id: string): Promise<string[]> {
  return (await team.api.get(`/v1/emails/${id}/events`)).body.map((event: { type: string }) => event.type)
}

test('a scheduled email is sent when its time has come, not before', async () => {
  const { id } = await schedule()
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'scheduled')
  posthorn.clock.advance(hourMs)
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'sent')
  assert.equal(handed.filter((message) => message.emailId === id).length, 1)
})

test('a cancelled email is never sent, and only a scheduled one can be cancelled', async () => {
  const { id } = await schedule()
  assert.equal((await team.api.post(`/v1/emails/${id}/cancel`)).body.status, 'cancelled')
  posthorn.clock.advance(2 * hourMs)
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'cancelled')
  assert.equal(
    handed.some((message) => message.emailId === id),
    false,
  )
  const again = await team.api.post(`/v1/emails/${id}/cancel`)
  assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
})

test('a rescheduled email is sent at its new time', async () => {
  const { id } = await schedule()
  const moved = await team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(3 * hourMs) })
  assert.equal(moved.status, 200, moved.text)
  assert.equal(moved.body.status, 'scheduled')
  posthorn.clock.advance(2 * hourMs)
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'scheduled')
  posthorn.clock.advance(hourMs)
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'sent')
})

test('rescheduling refuses a time in the past, other fields, and emails that are not scheduled', async () => {
  const { id } = await schedule()
  assert.equal((await team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(-1) })).status, 400)
  assert.equal((await team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(1), subject: 'x' })).status, 400)
  await team.api.post(`/v1/emails/${id}/cancel`)
  assert.equal((await team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(1000) })).status, 409)
})

test('if cancelling races with sending, exactly one of them wins', async () => {
  const emails = await Promise.all(Array.from({ length: 10 }, () => schedule(1000)))
  posthorn.clock.advance(1000)
  const [cancels] = await Promise.all([
    Promise.all(emails.map(({ id }) => team.api.post(`/v1/emails/${id}/cancel`))),
    posthorn.runDueJobs(),
  ])
  await posthorn.runDueJobs()
  for (const [index, { id }] of emails.entries()) {
    const sent = handed.some((message) => message.emailId === id)
    assert.equal(cancels[index]!.status, sent ? 409 : 200)
    assert.equal(await statusOf(id), sent ? 'sent' : 'cancelled')
  }
})

test('an unreachable provider is tried again with backoff and the same Message-ID, and the events say so', async () => {
  const { id } = await schedule(1000)
  answer = () => ({ kind: 'unavailable', message: 'The relay is down.' })
  posthorn.clock.advance(1000)
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'delayed')
  for (const delayMs of [5000, 30_000]) {
    posthorn.clock.advance(delayMs - 1)
    await posthorn.runDueJobs()
    posthorn.clock.advance(1)
    await posthorn.runDueJobs()
  }
  answer = accepted
  posthorn.clock.advance(120_000)
  await posthorn.runDueJobs()
  const attempts = handed.filter((message) => message.emailId === id)
  assert.equal(attempts.length, 4)
  assert.equal(new Set(attempts.map((message) => message.messageId)).size, 1)
  assert.equal(new Set(attempts.map((message) => message.raw.toString())).size, 1)
  assert.deepEqual(await typesOf(id), ['sent', 'delivery_delayed', 'delivery_delayed', 'delivery_delayed'])
})

slowTest(
  'after 24 hours without a provider a scheduled email has bounced, and its address is not suppressed',
  async () => {
    const { id } = await schedule(1000)
    answer = () => ({ kind: 'unavailable', message: 'The relay is down.' })
    posthorn.clock.advance(1000)
    for (let hours = 0; hours <= 26; hours++) {
      await posthorn.runDueJobs()
      posthorn.clock.advance(hourMs)
    }
    answer = accepted
    assert.equal(await statusOf(id), 'bounced')
    assert.deepEqual((await team.api.get('/v1/suppressions')).body.data, [])
  },
)

test('a recipient that is suppressed after scheduling gets nothing, and the others get the email', async () => {
  const body = {
    from: `a@${team.domain}`,
    to: ['late@example.com', 'ok@example.com'],
    subject: 'x',
    scheduledAt: later(1000),
  }
  const { id } = (await team.api.post('/v1/emails', body)).body
  await team.api.post('/v1/suppressions', { email: 'late@example.com' })
  posthorn.clock.advance(1000)
  await posthorn.runDueJobs()
  assert.deepEqual(handed.find((message) => message.emailId === id)!.envelope.to, ['ok@example.com'])
  assert.ok((await typesOf(id)).includes('bounced'))
})

test('an immediate email that no provider accepts is 502, leaves nothing, and may be repeated with its key', async () => {
  const body = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Now', text: 'x' }
  const before = (await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday
  const total = (await team.api.get('/v1/emails')).body.total
  answer = () => ({ kind: 'unavailable', message: 'The relay is down.' })
  const failed = await team.api.post('/v1/emails', body, { 'idempotency-key': 'again' })
  assert.deepEqual([failed.status, failed.body.name], [502, 'provider_error'])
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, before)
  assert.equal((await team.api.get('/v1/emails')).body.total, total)
  answer = accepted
  assert.equal((await team.api.post('/v1/emails', body, { 'idempotency-key': 'again' })).status, 200)
})

test('an immediate email of unknown outcome is answered as sent, says so in its events, and is not sent again', async () => {
  const body = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Now', text: 'x' }
  answer = () => ({ kind: 'unknown', message: 'The connection was lost after the final dot.' })
  const sent = await team.api.post('/v1/emails', body)
  answer = accepted
  assert.deepEqual([sent.status, sent.body.status], [200, 'sent'])
  posthorn.clock.advance(hourMs)
  await posthorn.runDueJobs()
  assert.equal(handed.filter((message) => message.emailId === sent.body.id).length, 1)
  assert.deepEqual(await typesOf(sent.body.id), ['outcome_unknown', 'sent'])
})

test('an immediate email that all recipients refuse permanently is answered as bounced', async () => {
  answer = (message) => ({
    kind: 'answered',
    accepted: [],
    facts: message.envelope.to.map((recipient) => ({ type: 'bounced', recipient, permanent: true, data: {} })),
    response: '550 no',
  })
  const body = { from: `a@${team.domain}`, to: ['refused@example.com'], subject: 'Now', text: 'x' }
  const sent = await team.api.post('/v1/emails', body)
  answer = accepted
  assert.deepEqual([sent.status, sent.body.status], [200, 'bounced'])
  assert.equal(await statusOf(sent.body.id), 'bounced')
  assert.equal((await team.api.post('/v1/emails', body)).status, 422)
})

test('a batch sends in order, and if one email fails, those before it are sent and those after it are not', async () => {
  const emails = [1, 2, 3, 4].map((number) => ({
    from: `a@${team.domain}`,
    to: [`n${number}@example.com`],
    subject: `${number}`,
  }))
  const total = (await team.api.get('/v1/emails')).body.total
  answer = (message) =>
    message.envelope.to[0] === 'n3@example.com' ? { kind: 'unavailable', message: 'down' } : accepted(message)
  const failed = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch-1' })
  answer = accepted
  assert.equal(failed.status, 400)
  assert.deepEqual(Object.keys(failed.body).sort(), ['error', 'index'])
  assert.equal(failed.body.index, 2)
  assert.equal((await team.api.get('/v1/emails')).body.total, total + 2)
  const repeated = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch-1' })
  assert.deepEqual([repeated.status, repeated.body], [400, failed.body])
})

test('scheduled mail of unknown outcome is sent again with the same Message-ID, and cannot be cancelled or moved', async () => {
  const { id } = await schedule(1000)
  answer = () => ({ kind: 'unknown', message: 'The connection was lost after the final dot.' })
  posthorn.clock.advance(1000)
  await posthorn.runDueJobs()
  answer = accepted
  assert.equal((await team.api.post(`/v1/emails/${id}/cancel`)).status, 409)
  assert.equal((await team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(hourMs) })).status, 409)
  posthorn.clock.advance(5000)
  await posthorn.runDueJobs()
  assert.equal(await statusOf(id), 'sent')
  assert.deepEqual(await typesOf(id), ['sent', 'outcome_unknown'])
})
