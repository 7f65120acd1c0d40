import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { until } from '../../test/patience.ts'
import { pluck } from '../../test/pluck.ts'
import { absent, accepted, toldProvider } from '../emails/messages/dispatch/fixtures/told-provider.ts'
import { createAudience, readers } from './fixtures/audience.ts'

const { provider, told, handed, copiesOf } = toldProvider()
const posthorn = await createTestApp({}, { emailProvider: provider })
const { db } = posthorn.app

const counted = async (team: TestTeam) => (await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday
const count = async (team: TestTeam, status: string) => (await team.api.get(`/v1/emails?status=${status}`)).body.total

async function storyOf(team: TestTeam, id: string): Promise<string[]> {
  const { body: events } = await team.api.get(`/v1/emails/${id}/events`)
  return [...pluck(events, 'type').reverse(), (await team.api.get(`/v1/emails/${id}`)).body.status]
}

/**
 * Hands the first email of a broadcast to two people over, and leaves it as a process that is killed before the answer
 * does. The next process finds the relay absent. The other email waits for the next day.
 */
async function killedInBroadcast() {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  const { segmentId, contactIds } = await createAudience(posthorn, team, readers(2))
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  await team.api.post(`/v1/broadcasts/${id}/send`)
  const { promise: dead, resolve: end } = Promise.withResolvers<void>()
  told.answer = async (message) => {
    await dead
    return accepted(message)
  }
  const before = handed.length
  const running = posthorn.runDueJobs()
  await until(() => handed.length > before)
  const { emailId } = handed.at(-1)!
  const left = { lease_token: crypto.randomUUID(), run_at: posthorn.clock.now() }
  await db.updateTable('jobs').set(left).where('key', '=', emailId).execute()
  told.answer = absent
  end()
  await running
  await posthorn.runDueJobs()
  assert.deepEqual(await storyOf(team, emailId), ['delivery_delayed', 'delayed'])
  return { team, id, emailId, contactIds }
}

test('an email that a killed process may have handed over is not cancelled with its broadcast', async () => {
  const { team, id } = await killedInBroadcast()
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).status, 200)
  assert.deepEqual([await count(team, 'cancelled'), await counted(team)], [0, 1])
})

test('an email that a killed process may have handed over is not sent again to a contact who unsubscribed', async () => {
  const { team, emailId, contactIds } = await killedInBroadcast()
  for (const contact of contactIds) await team.api.patch(`/v1/contacts/${contact}`, { unsubscribed: true })
  told.answer = accepted
  const before = copiesOf(emailId).length
  await posthorn.runDueJobsAfter(5000)
  assert.deepEqual(await storyOf(team, emailId), ['delivery_delayed', 'sent', 'outcome_unknown', 'sent'])
  assert.deepEqual([copiesOf(emailId).length, await counted(team)], [before, 1])
})
