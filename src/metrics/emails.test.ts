import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp()

test('an email counts at once, and the same when the changes are folded', async () => {
  const team = await posthorn.team()
  const email = {
    from: `a@${team.domain}`,
    to: ['ada@people.test', 'bob@people.test'],
    subject: 'Hello',
    text: 'Hello',
  }
  assert.equal((await team.api.post('/v1/emails', email)).status, 200)
  const { body: before } = await team.api.get('/v1/metrics/emails')
  const { accepted, sent, delivered, bounced } = before.total
  assert.deepEqual({ accepted, sent, delivered, bounced }, { accepted: 1, sent: 1, delivered: 1, bounced: 0 })
  assert.equal(before.data.length, 30)
  assert.deepEqual(before.data.at(-1), { at: '2030-06-15T00:00:00.000Z', ...before.total })
  await posthorn.runDueJobs()
  assert.deepEqual((await team.api.get('/v1/metrics/emails')).body, before)
})
