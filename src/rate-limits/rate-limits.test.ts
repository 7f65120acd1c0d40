import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, createTestApp, ok } from '../../test/app.ts'
import { acceptMessages, answerMessages } from '../billing/fixtures/messages.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1' })

test('the limits are the plan’s, and the usage is today’s', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  for (const to of ['a', 'b', 'c']) {
    await team.api.post('/v1/emails', { from: `a@${team.domain}`, to: [`${to}@people.test`], subject: 's', text: 't' })
  }
  const body = await ok(team.api.get('/v1/rate-limits'))
  assert.deepEqual(body, {
    tier: { plan: 'pro', hasOverride: false },
    limits: {
      dailyEmailLimit: 5000,
      emailsPerSecond: 50,
      apiRequestsPerMinute: 600,
      batchSize: 100,
      dailySmsLimit: 10_000,
      smsBatchSize: 100,
      dailySmsSpendLimit: 100,
    },
    usage: {
      emailsSentToday: 3,
      dailyEmailLimit: 5000,
      dailyUsagePercent: 0.06,
      resetsAt: '2030-06-16T00:00:00.000Z',
      smsSentToday: 0,
      dailySmsLimit: 10_000,
      dailySmsUsagePercent: 0,
      smsSpendToday: 0,
      dailySmsSpendLimit: 100,
    },
  })
})

test('SMS count from acceptance until midnight UTC, and refused ones cost nothing', async () => {
  const team = await posthorn.team({ plan: 'pro', limits: { dailySmsLimit: 12 } })
  const sent = await acceptMessages(posthorn.app, team.id, [1, 2, 3])
  await answerMessages(posthorn.app, team.id, sent.slice(0, 1), false)
  const today = (await team.api.get('/v1/rate-limits')).body.usage
  assert.deepEqual([today.smsSentToday, today.dailySmsUsagePercent, today.smsSpendToday], [3, 25, 0.33])
  posthorn.clock.advance(12 * 60 * 60 * 1000)
  const tomorrow = (await team.api.get('/v1/rate-limits')).body.usage
  assert.deepEqual([tomorrow.smsSentToday, tomorrow.dailySmsUsagePercent, tomorrow.smsSpendToday], [0, 0, 0])
  posthorn.clock.advance(-12 * 60 * 60 * 1000)
})

test('the limits of a day count what was accepted, and metrics say sent of what was handed over', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const { body: sender } = await team.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await team.api.post(`/v1/sms/senders/${sender.id}/verify`)
  for (const to of ['+61400000001', '+61400000005', '+61400000006', '+61400000007']) {
    await team.api.post('/v1/sms', { to, body: 'Hello', senderId: sender.id })
  }
  const email = { from: `a@${team.domain}`, to: ['a@people.test'], subject: 's', text: 't' }
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  await team.api.post('/v1/emails', email)
  await team.api.post('/v1/emails', { ...email, scheduledAt })
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  const sms = (await team.api.get('/v1/metrics/sms')).body.total
  const emails = (await team.api.get('/v1/metrics/emails')).body.total
  assert.deepEqual([usage.smsSentToday, sms.accepted, sms.sent, sms.failed], [4, 4, 3, 1])
  assert.deepEqual([usage.emailsSentToday, emails.accepted, emails.sent], [1, 2, 1])
})

test('usage starts again at midnight UTC', async () => {
  const team = await posthorn.team()
  await team.api.post('/v1/emails', { from: `a@${team.domain}`, to: ['a@people.test'], subject: 's', text: 't' })
  posthorn.clock.advance(12 * 60 * 60 * 1000)
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  assert.equal(usage.emailsSentToday, 0)
  assert.equal(usage.resetsAt, '2030-06-17T00:00:00.000Z')
})

test('an override shows in the limits, and a limit of 0 is used to 0 %', async () => {
  const team = await posthorn.team({ plan: 'free', limits: { dailyEmailLimit: 0 } })
  const { tier, limits, usage } = (await team.api.get('/v1/rate-limits')).body
  assert.deepEqual(tier, { plan: 'free', hasOverride: true })
  assert.equal(limits.dailyEmailLimit, 0)
  assert.equal(usage.dailyUsagePercent, 0)
  assert.equal(usage.dailySmsUsagePercent, 0)
})

test('a sending key may read the limits', async () => {
  const team = await posthorn.team()
  const { api } = await team.newKey({ permission: 'sending_access' })
  assert.equal((await api.get('/v1/rate-limits')).status, 200)
})

test('each key has a separate limit for each minute', async () => {
  const team = await posthorn.team({ limits: { apiRequestsPerMinute: 5 } })
  const other = await team.newKey()
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) statuses.push((await team.api.get('/v1/rate-limits')).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
  const { status, headers } = await other.api.get('/v1/rate-limits')
  assert.equal(status, 200)
  assert.equal(headers['x-ratelimit-limit'], '5')
  assert.equal(headers['x-ratelimit-remaining'], '4')
  const reset = Number(headers['x-ratelimit-reset']) * 1000 - posthorn.clock.now().getTime()
  assert.ok(reset > 0 && reset <= 60_000)
})

test('all keys of a team together have the limit of ten keys, separate from other teams', async () => {
  posthorn.clock.advance(60_000)
  const team = await posthorn.team({ limits: { apiRequestsPerMinute: 5 } })
  const neighbour = await posthorn.team({ limits: { apiRequestsPerMinute: 5 } })
  const keys = await Promise.all(Array.from({ length: 12 }, () => team.newKey()))
  const answers: Answer[] = []
  for (const { api } of keys) {
    for (let n = 0; n < 5; n++) answers.push(await api.get('/v1/rate-limits'))
  }
  assert.equal(answers.filter(({ status }) => status === 200).length, 50)
  const { body, headers } = answers.find(({ status }) => status === 429)!
  assert.deepEqual(
    [body.name, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], Number(headers['retry-after']) > 0],
    ['rate_limit_exceeded', '5', '0', true],
  )
  assert.match(body.message, /More than 50 requests this minute by all keys and users of the team/)
  assert.equal((await neighbour.api.get('/v1/rate-limits')).status, 200)
  posthorn.clock.advance(60_000)
  assert.equal((await keys[0]!.api.get('/v1/rate-limits')).status, 200)
})

test('requests of a key beyond its limit do not count against the other keys of its team', async () => {
  posthorn.clock.advance(60_000)
  const team = await posthorn.team({ limits: { apiRequestsPerMinute: 5 } })
  const other = await team.newKey()
  for (let n = 0; n < 60; n++) await team.api.get('/v1/rate-limits')
  assert.equal((await other.api.get('/v1/rate-limits')).status, 200)
})

test('a client without a key is counted by its address, a network of IPv6 as one', async () => {
  posthorn.clock.advance(60_000)
  const from = async (address: string) => (await posthorn.anyone.get('/docs', { 'x-forwarded-for': address })).status
  assert.deepEqual([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')], [200, 200, 200])
  assert.equal(await from('192.0.2.1'), 429)
  assert.equal(await from('::ffff:192.0.2.1'), 429)
  assert.equal(await from('192.0.2.2'), 200)
  for (let n = 1; n <= 3; n++) assert.equal(await from(`2001:db8:1:2::${n}`), 200)
  assert.equal(await from('2001:db8:1:2:ffff::9'), 429)
  assert.equal(await from('2001:db8:1:3::1'), 200)
})

test('a port that a proxy writes makes no other client, and an entry that is no address is counted as the proxy', async () => {
  posthorn.clock.advance(60_000)
  const from = async (address: string) => (await posthorn.anyone.get('/docs', { 'x-forwarded-for': address })).status
  for (let port = 1; port <= 3; port++) assert.equal(await from(`192.0.2.1:5000${port}`), 200)
  assert.equal(await from('192.0.2.1:50004'), 429)
  assert.equal(await from('192.0.2.1'), 429)
  assert.equal(await from('192.0.2.2:50001'), 200)
  for (let port = 1; port <= 3; port++) assert.equal(await from(`[2001:db8:9:2::1]:5000${port}`), 200)
  assert.equal(await from('2001:db8:9:2::1'), 429)
  for (let other = 1; other <= 3; other++) assert.equal(await from(`192.0.2.9, unknown${other}`), 200)
  assert.equal(await from('192.0.2.9, unknown4'), 429)
  assert.equal(await from('unknown5, 192.0.2.9'), 200)
})

test('bad keys are counted by address, which limits guessing', async () => {
  posthorn.clock.advance(60_000)
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await posthorn.as(`ph_${n}`).get('/v1/emails')).status)
  assert.deepEqual(statuses, [401, 401, 401, 429, 429])
})
