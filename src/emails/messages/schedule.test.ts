import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { untilWaiting } from '../../../test/while-locked.ts'
import { setTeamLimits } from '../../teams/set-plan.ts'
import { type EmailAnswer, type EmailProvider, type OutboundMessage, unreachableFor } from '../provider.ts'

const handed: OutboundMessage[] = []
let answer: (message: OutboundMessage) => EmailAnswer = accepted

function accepted(message: OutboundMessage): EmailAnswer {
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
  const made = await ok(team.api.post('/v1/emails', body))
  assert.equal(made.status, 'scheduled')
  return made as { id: string; scheduledAt: string }
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
  await posthorn.runDueJobsAfter(hourMs)
  assert.equal(await statusOf(id), 'sent')
  assert.equal(handed.filter((message) => message.emailId === id).length, 1)
})

test('a cancelled email is never sent, and only a scheduled one can be cancelled', async () => {
  const { id } = await schedule()
  assert.equal((await team.api.post(`/v1/emails/${id}/cancel`)).body.status, 'cancelled')
  await posthorn.runDueJobsAfter(2 * hourMs)
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
  const moved = await ok(team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(3 * hourMs) }))
  assert.equal(moved.status, 'scheduled')
  await posthorn.runDueJobsAfter(2 * hourMs)
  assert.equal(await statusOf(id), 'scheduled')
  await posthorn.runDueJobsAfter(hourMs)
  assert.equal(await statusOf(id), 'sent')
})

test('an email that is rescheduled while a worker begins to send it is sent once, at its new time', async () => {
  const { id } = await schedule(1000)
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = posthorn.app.transaction(async (tx) => {
    await tx.db.selectFrom('emails').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  const moved = team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(hourMs) })
  await untilWaiting(posthorn.app)
  posthorn.clock.advance(1000)
  const running = posthorn.runDueJobs()
  await untilWaiting(posthorn.app, 2)
  unlock.resolve()
  await Promise.all([lock, ok(moved), running])
  assert.equal(await statusOf(id), 'scheduled')
  await posthorn.runDueJobsAfter(hourMs)
  assert.equal(await statusOf(id), 'sent')
  assert.equal(handed.filter((message) => message.emailId === id).length, 1)
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
  answer = () => unreachableFor('The relay is down.')
  await posthorn.runDueJobsAfter(1000)
  assert.equal(await statusOf(id), 'delayed')
  for (const delayMs of [5000, 30_000]) {
    await posthorn.runDueJobsAfter(delayMs - 1)
    await posthorn.runDueJobsAfter(1)
  }
  answer = accepted
  await posthorn.runDueJobsAfter(120_000)
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
    answer = () => unreachableFor('The relay is down.')
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
  await posthorn.runDueJobsAfter(1000)
  assert.deepEqual(handed.find((message) => message.emailId === id)!.envelope.to, ['ok@example.com'])
  assert.ok((await typesOf(id)).includes('bounced'))
})

test('an email that waits for the daily limit and is rescheduled waits for its new time when the limit is raised', async () => {
  const limited = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const email = { from: `a@${limited.domain}`, to: ['ada@example.com'], subject: 'Later', text: 'x' }
  const { id } = await ok(limited.api.post('/v1/emails', { ...email, scheduledAt: later(60_000) }))
  await ok(limited.api.post('/v1/emails', email))
  await posthorn.runDueJobsAfter(61_000)
  const scheduledAt = later(48 * hourMs)
  await ok(limited.api.patch(`/v1/emails/${id}`, { scheduledAt }))
  await posthorn.app.transaction((tx) => setTeamLimits(tx, limited.id, { dailyEmailLimit: 100 }))
  await posthorn.runDueJobs()
  const { status, scheduledAt: planned } = await ok(limited.api.get(`/v1/emails/${id}`))
  assert.deepEqual([status, planned], ['scheduled', scheduledAt])
})
