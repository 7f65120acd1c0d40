import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { absent, accepted, toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import { nextMidnight } from '../platform/time/clock.ts'
import { createAudience, readers } from './fixtures/audience.ts'

const { provider, told } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })

const counted = async (team: TestTeam) => (await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday

async function sendOne(team: TestTeam) {
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Your code', text: '4711' }
  return (await team.api.post('/v1/emails', email)).status
}

/** Makes two emails of a broadcast shortly before midnight, and sends a single one after it. The limit is two a day. */
async function waitPastMidnight() {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 2 } })
  const { segmentId, contactIds } = await createAudience(posthorn, team, readers(3))
  posthorn.clock.set(new Date(nextMidnight(posthorn.clock.now()).getTime() - 60_000))
  told.answer = absent
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  await team.api.post(`/v1/broadcasts/${id}/send`)
  await posthorn.runDueJobs()
  assert.equal(await counted(team), 2)
  told.answer = accepted
  posthorn.clock.advance(60_000)
  assert.equal(await sendOne(team), 200)
  return { team, id, contactIds }
}

test('emails that a cancel withdraws after midnight leave no room for more than the new day’s limit', async () => {
  const { team, id } = await waitPastMidnight()
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).status, 200)
  assert.equal((await team.api.get('/v1/emails?status=cancelled')).body.total, 2)
  assert.equal(await counted(team), 1)
  assert.deepEqual([await sendOne(team), await sendOne(team)], [200, 429])
})

test('emails whose recipients unsubscribe count against the day on which they were made', async () => {
  const { team, contactIds } = await waitPastMidnight()
  for (const id of contactIds) await team.api.patch(`/v1/contacts/${id}`, { unsubscribed: true })
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await team.api.get('/v1/emails?status=cancelled')).body.total, 2)
  assert.equal(await counted(team), 1)
})
