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

test('a webhook of a test key gets test events only, and no live key sees it', async () => {
  const team = await posthorn.team()
  const { api: trial } = await team.newKey({ permission: 'full_access', mode: 'test' })
  const receiver = await startReceiver()
  const made = await trial.post('/v1/webhooks', { endpointUrl: receiver.url, events: ['email.delivered'] })
  assert.deepEqual([made.status, made.body.mode, made.body.includeTest], [200, 'test', true], made.text)
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'x' }
  await team.api.post('/v1/emails', email)
  const { body: tried } = await trial.post('/v1/emails', email)
  await posthorn.runDueJobs()
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data.email_id),
    [tried.id],
  )
  const path = `/v1/webhooks/${made.body.id}`
  const [delivery] = (await trial.get(`${path}/deliveries`)).body.data
  const { body: shown } = await trial.get(`${path}/deliveries/${delivery.id}`)
  assert.deepEqual([shown.status, shown.payload.mode, shown.endpointUrl], ['delivered', 'test', receiver.url])
  assert.equal((await trial.post(`${path}/deliveries/${delivery.id}/replay`)).status, 201)
  assert.equal((await trial.post(`${path}/test`, { eventType: 'email.bounced' })).status, 201)
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 3)
  assert.equal((await team.api.get(path)).status, 404)
  assert.deepEqual((await team.api.get('/v1/webhooks')).body.data, [])
  const { api: developer } = await team.member('developer')
  assert.equal((await developer.get(`${path}?mode=test`)).body.id, made.body.id)
  assert.equal((await trial.patch(path, { includeTest: false })).status, 400)
  assert.equal((await trial.patch(path, { events: ['email.bounced'] })).body.mode, 'test')
  assert.match((await trial.post(`${path}/rotate-secret`)).body.signingSecret, /^whsec_/)
  assert.equal((await trial.delete(path)).status, 200)
})

test('a test key reads a live webhook without deliveries and secrets, and does not change it', async () => {
  const team = await posthorn.team()
  const { api: trial } = await team.newKey({ permission: 'full_access', mode: 'test' })
  const endpointUrl = 'https://hooks.example/secret-path?token=secret'
  const { body: live } = await team.api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'], includeTest: true })
  const path = `/v1/webhooks/${live.id}`
  const { body: sent } = await team.api.post(`${path}/test`, { eventType: 'email.sent' })
  for (const answer of [
    await trial.get(path),
    await trial.get('/v1/webhooks'),
    await trial.get(`/v1/lookup?id=${live.id}`),
  ]) {
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.text, /hooks\.example/)
    assert.doesNotMatch(answer.text, /secret/)
  }
  const deliveryPath = `${path}/deliveries/${sent.id}`
  for (const refused of [
    await trial.get(`${path}/deliveries`),
    await trial.get(deliveryPath),
    await trial.get(`${deliveryPath}/attempts`),
    await trial.post(`${deliveryPath}/replay`),
    await trial.post(`${path}/rotate-secret`),
    await trial.patch(path, { endpointUrl: 'https://mine.example/' }),
    await trial.delete(path),
  ]) {
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.body.message, /This webhook is live\. .* Use a live key, or sign in\./)
  }
  assert.doesNotMatch((await trial.get(`/v1/lookup?id=${sent.id}`)).text, /delivery/)
  assert.equal((await team.api.get(path)).body.endpointUrl, endpointUrl)
})
