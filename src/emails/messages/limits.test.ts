import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { untilWaiting, whileLocked } from '../../../test/while-locked.ts'
import { setTeamLimits } from '../../teams/set-plan.ts'

const posthorn = await createTestApp()

function send(team: TestTeam, change: Record<string, unknown> = {}) {
  return team.api.post('/v1/emails', { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', ...change })
}

test('exactly as many concurrent sends pass as the day’s limit allows', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 7 } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(team)))
  assert.equal(answers.filter((answer) => answer.status === 200).length, 7)
  const refused = answers.find((answer) => answer.status !== 200)!
  assert.deepEqual(
    [refused.status, refused.body],
    [429, { error: 'DAILY_EMAIL_LIMIT_EXCEEDED', limit: 7, remaining: 0 }],
  )
})

test('a new day starts at midnight UTC', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  assert.equal((await send(team)).status, 200)
  assert.equal((await send(team)).status, 429)
  posthorn.clock.set(new Date(Math.ceil((posthorn.clock.now().getTime() + 1) / 86_400_000) * 86_400_000))
  assert.equal((await send(team)).status, 200)
})

test('emails per second: a burst of a batch, then the rate, with Retry-After', async () => {
  const team = await posthorn.team({ limits: { emailsPerSecond: 2, batchSize: 5 } })
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(team)))
  assert.equal(answers.filter((answer) => answer.status === 200).length, 5)
  const refused = answers.find((answer) => answer.status === 429)!
  assert.equal(refused.body.name, 'rate_limit_exceeded')
  assert.equal(refused.headers['retry-after'], '1')
  posthorn.clock.advance(1000)
  const later = await Promise.all(Array.from({ length: 3 }, () => send(team)))
  assert.equal(later.filter((answer) => answer.status === 200).length, 2)
})

test('scheduled mail counts on the day it is sent, and waits for the next day if the limit is reached', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { id } = (await send(team, { scheduledAt })).body
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 0)
  assert.equal((await send(team)).status, 200)
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'scheduled')
  posthorn.clock.set(new Date(Math.ceil((posthorn.clock.now().getTime() + 1) / 86_400_000) * 86_400_000))
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 1)
})

test('mail that waits for the day’s limit is sent as soon as the limit is raised', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { id } = (await send(team, { scheduledAt })).body
  assert.equal((await send(team)).status, 200)
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'scheduled')
  await posthorn.app.transaction((tx) => setTeamLimits(tx, team.id, { dailyEmailLimit: 2 }))
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
})

test('a limit that is raised while a worker looks at mail that is over it sends this mail at once', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { id } = (await send(team, { scheduledAt })).body
  assert.equal((await send(team)).status, 200)
  const usage = sql`select from email_usage where team_id = ${team.id} for update`
  const running = await whileLocked(posthorn.app, usage, async () => {
    const running = posthorn.runDueJobsAfter(60_000)
    await untilWaiting(posthorn.app, 1, 'email_usage')
    await posthorn.app.transaction((tx) => setTeamLimits(tx, team.id, { dailyEmailLimit: 2 }))
    return { running }
  })
  await running.running
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
})

test('scheduled mail past the rate waits and is all sent', async () => {
  const team = await posthorn.team({ limits: { emailsPerSecond: 1, batchSize: 2 } })
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  for (let count = 0; count < 6; count++) assert.equal((await send(team, { scheduledAt })).status, 200)
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get('/v1/emails?status=delivered')).body.total, 2)
  for (let seconds = 0; seconds < 20; seconds++) {
    await posthorn.runDueJobsAfter(1000)
  }
  assert.equal((await team.api.get('/v1/emails?status=delivered')).body.total, 6)
})
