import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookApp } from '../../src/webhooks/fixtures/app.ts'
import { startReceiver } from '../../src/webhooks/fixtures/receiver.ts'

const posthorn = await createWebhookApp()

test('a webhook gets test events only with includeTest, and they are marked', async () => {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', mode: 'test' })
  const [plain, both] = [await startReceiver(), await startReceiver()]
  const events = ['email.delivered']
  const { body: first } = await team.api.post('/v1/webhooks', { endpointUrl: plain.url, events })
  const { body: second } = await team.api.post('/v1/webhooks', { endpointUrl: both.url, events, includeTest: true })
  assert.deepEqual([first.includeTest, second.includeTest], [false, true])
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'x' }
  const { body: tried } = await posthorn.as(key.key).post('/v1/emails', email)
  const { body: live } = await team.api.post('/v1/emails', email)
  await posthorn.runDueJobs()
  const told = ({ received }: typeof plain) => {
    const bodies = received.map(({ body }) => JSON.parse(body))
    return bodies.map(({ mode, data }) => [data.email_id, mode ?? 'none']).sort()
  }
  assert.deepEqual(told(plain), [[live.id, 'none']])
  assert.deepEqual(
    told(both),
    [
      [tried.id, 'test'],
      [live.id, 'none'],
    ].sort(),
  )
  assert.equal((await team.api.patch(`/v1/webhooks/${second.id}`, { includeTest: false })).body.includeTest, false)
  await posthorn.as(key.key).post('/v1/emails', email)
  await posthorn.runDueJobs()
  assert.equal(both.received.length, 2)
})
