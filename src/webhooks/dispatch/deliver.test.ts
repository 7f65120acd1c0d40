import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { pluck, pluckRows } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { createWebhookApp, emailId, makeWebhook, signatureOf } from '../fixtures/app.ts'
import { type Received, startReceiver } from '../fixtures/receiver.ts'

const posthorn = await createWebhookApp({ WEBHOOK_TIMEOUT: '1s' })
const [minuteMs, hourMs] = [60_000, 3_600_000]

test('an event arrives as it is specified, signed with the whole secret', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  const at = posthorn.clock.now()
  await posthorn.happen(team.id, 'email.delivered', { mail: { messageId: 'ä "1"' } })
  await posthorn.runDueJobsAfter(1500)
  const [received] = receiver.received
  assert.equal(receiver.received.length, 1)
  assert.deepEqual([received!.method, received!.path], ['POST', '/hook'])
  assert.deepEqual(Object.entries(JSON.parse(received!.body)), [
    ['type', 'email.delivered'],
    ['created_at', at.toISOString()],
    ['data', { email_id: emailId, details: { mail: { messageId: 'ä "1"' } } }],
  ])
  const [delivery] = (await webhook.deliveries()).data
  assert.equal(received!.headers['content-type'], 'application/json')
  assert.equal(received!.headers['webhook-id'], delivery.id)
  assert.equal(received!.headers['webhook-timestamp'], String(Math.floor(posthorn.clock.now().getTime() / 1000)))
  assert.equal(received!.headers['webhook-signature'], signatureOf(received!, webhook.secret))
  assert.deepEqual(delivery, {
    ...{ id: delivery.id, webhookId: webhook.id, eventType: 'email.delivered', status: 'delivered', attempts: 1 },
    ...{ responseStatusCode: 200, lastAttemptAt: posthorn.clock.now().toISOString(), nextRetryAt: null },
    createdAt: at.toISOString(),
  })
  const single = await team.api.get(`${webhook.path}/deliveries/${delivery.id}`)
  assert.deepEqual(single.body, { ...delivery, payload: JSON.parse(received!.body), endpointUrl: receiver.url })
  assert.equal(JSON.stringify(single.body.payload), received!.body)
})

test('a real send notifies its webhooks, and empty details are null', async () => {
  const { team, receiver } = await posthorn.setUp(['email.sent', 'email.delivered'])
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'Hello' }
  const { body } = await team.api.post('/v1/emails', email)
  await posthorn.happenNow(team.id, 'email.sent', null)
  const told = receiver.received.map((received) => JSON.parse(received.body))
  assert.deepEqual(
    told
      .filter(({ data }) => data.email_id === body.id)
      .map(({ type }) => type)
      .sort(),
    ['email.delivered', 'email.sent'],
  )
  assert.equal(told.find(({ data }) => data.email_id === emailId).data.details, null)
})

test('an event goes to the active webhooks of its team that subscribe to it, and nowhere else', async () => {
  const { team, receiver, webhook } = await posthorn.setUp(['email.bounced', 'email.opened'])
  const other = await posthorn.setUp(['email.bounced'])
  const off = await makeWebhook(team.api, receiver.url, ['email.bounced'])
  await team.api.patch(off.path, { status: 'inactive' })
  const second = await makeWebhook(team.api, receiver.url, ['email.bounced'])
  for (const type of ['email.bounced', 'email.clicked'] as const) await posthorn.happen(team.id, type)
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 2)
  assert.equal(other.receiver.received.length, 0)
  const counts = await Promise.all([webhook, second, off].map(async (each) => (await each.deliveries()).data.length))
  assert.deepEqual(counts, [1, 1, 0])
})

test('a delivery is retried exactly as the schedule says, with the same id, and then fails', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = 500
  await posthorn.happen(team.id)
  const look = async () => (await webhook.deliveries()).data[0]
  const begin = await look()
  assert.deepEqual([begin.status, begin.attempts, begin.lastAttemptAt, begin.nextRetryAt], ['pending', 0, null, null])
  await posthorn.runDueJobs()
  const delaysMs = [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs]
  for (const [index, delayMs] of delaysMs.entries()) {
    const at = posthorn.clock.now()
    assert.deepEqual(await look(), {
      ...{ ...begin, attempts: index + 1, responseStatusCode: 500, lastAttemptAt: at.toISOString() },
      nextRetryAt: new Date(at.getTime() + delayMs).toISOString(),
    })
    await posthorn.runDueJobsAfter(delayMs - 1)
    assert.equal(receiver.received.length, index + 1)
    await posthorn.runDueJobsAfter(1)
    assert.equal(receiver.received.length, index + 2)
  }
  const end = await look()
  assert.deepEqual([end.status, end.attempts, end.nextRetryAt], ['failed', 6, null])
  await posthorn.runDueJobsAfter(48 * hourMs)
  assert.equal(receiver.received.length, 6)
  assert.deepEqual([...new Set(receiver.received.map(({ headers }) => headers['webhook-id']))], [begin.id])
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size, 6)
  for (const each of receiver.received)
    assert.equal(each.headers['webhook-signature'], signatureOf(each, webhook.secret))
})

test('a delivery that fails once is delivered by the next attempt', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = 503
  await posthorn.happenNow(team.id)
  receiver.answer = 204
  await posthorn.runDueJobsAfter(5 * minuteMs)
  const [delivery] = (await webhook.deliveries()).data
  assert.deepEqual([delivery.status, delivery.attempts, delivery.responseStatusCode], ['delivered', 2, 204])
})

test('while one delivery waits for its retry, a new event goes out at once', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = 500
  await posthorn.happenNow(team.id)
  receiver.answer = 200
  await posthorn.happenNow(team.id)
  assert.deepEqual(pluck((await webhook.deliveries()).data, 'status'), ['delivered', 'pending'])
  await posthorn.runDueJobsAfter(5 * minuteMs)
  assert.deepEqual((await webhook.deliveries('?status=pending')).data, [])
})

test('a redirect is a failure, and is not followed', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = (response) => response.writeHead(307, { location: receiver.url }).end()
  await posthorn.happenNow(team.id)
  const [delivery] = (await webhook.deliveries()).data
  assert.deepEqual([delivery.status, delivery.attempts, delivery.responseStatusCode], ['pending', 1, 307])
  assert.equal(receiver.received.length, 1)
})

slowTest('a late answer, a missing answer and a private address are failed attempts without a status', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = () => undefined
  const closed = await makeWebhook(team.api, 'https://127.0.0.1:1/hook')
  const inside = await makeWebhook(team.api, 'https://inside.example/hook')
  await posthorn.happenNow(team.id)
  for (const each of [webhook, closed, inside]) {
    const [delivery] = (await each.deliveries()).data
    assert.deepEqual([delivery.status, delivery.attempts, delivery.responseStatusCode], ['pending', 1, null])
    assert.equal(Date.parse(delivery.nextRetryAt), posthorn.clock.now().getTime() + 5 * minuteMs)
  }
})

test('an untrusted certificate is a failed attempt', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  // The certificate does not match this host.
  await team.api.patch(webhook.path, { endpointUrl: receiver.url.replace('127.0.0.1', 'wrong.example') })
  await posthorn.happenNow(team.id)
  const [delivery] = (await webhook.deliveries()).data
  assert.deepEqual([delivery.attempts, delivery.responseStatusCode], [1, null])
  assert.equal(receiver.received.length, 0)
})

test('a long answer with a good status is a success', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = (response) => response.writeHead(200).end(Buffer.alloc(1_000_000))
  await posthorn.happenNow(team.id)
  assert.equal((await webhook.deliveries()).data[0].status, 'delivered')
})

test('attempts after a rotation are signed with the new secret alone, as one value that receivers compare, at the URL of the moment', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  const moved = await startReceiver()
  receiver.answer = 500
  await posthorn.happenNow(team.id)
  const { body: rotated } = await team.api.post(`${webhook.path}/rotate-secret`)
  await team.api.patch(webhook.path, { endpointUrl: moved.url })
  await posthorn.runDueJobsAfter(5 * minuteMs)
  assert.notEqual(rotated.signingSecret, webhook.secret)
  assert.equal(receiver.received.length, 1)
  const [received] = moved.received
  assert.equal(received!.headers['webhook-signature'], signatureOf(received!, rotated.signingSecret))
})

test('with the scheme standard the old secret signs for 24 hours, and a second rotation ends the first secret', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  await team.api.patch(webhook.path, { signatureScheme: 'standard' })
  const rotate = async () => (await team.api.post(`${webhook.path}/rotate-secret`)).body.signingSecret as string
  const [second, third] = [await rotate(), await rotate()]
  await posthorn.happenNow(team.id)
  const received = receiver.received.at(-1)!
  const signaturesOf = ({ headers, body }: Received, secrets: string[]) => {
    const signer = (secret: string) => new StandardWebhook(secret)
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    return secrets.map((secret) => signer(secret).sign(String(headers['webhook-id']), at, body)).join(' ')
  }
  for (const name of ['webhook-signature', 'svix-signature'])
    assert.equal(received.headers[name], signaturesOf(received, [third, second]))
  posthorn.clock.advance(24 * 60 * minuteMs)
  await posthorn.happenNow(team.id)
  const later = receiver.received.at(-1)!
  assert.equal(later.headers['webhook-signature'], signaturesOf(later, [third]))
})

test('a webhook that is switched off sends nothing more, and its pending deliveries fail', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = 500
  await posthorn.happenNow(team.id)
  await posthorn.happen(team.id)
  await team.api.patch(webhook.path, { status: 'inactive' })
  await posthorn.runDueJobs()
  await team.api.patch(webhook.path, { status: 'active' })
  await posthorn.runDueJobsAfter(24 * hourMs)
  const { data } = await webhook.deliveries()
  assert.deepEqual(pluckRows(data, 'status', 'attempts', 'nextRetryAt'), [
    ['failed', 0, null],
    ['failed', 1, null],
  ])
  assert.equal(receiver.received.length, 1)
})

test('a deleted webhook gets nothing more, and its deliveries are gone', async () => {
  const { team, receiver, webhook } = await posthorn.setUp()
  receiver.answer = 500
  await posthorn.happenNow(team.id)
  const [delivery] = (await webhook.deliveries()).data
  await team.api.delete(webhook.path)
  await posthorn.runDueJobsAfter(5 * minuteMs)
  assert.equal(receiver.received.length, 1)
  assert.equal((await team.api.get(`${webhook.path}/deliveries/${delivery.id}`)).status, 404)
  const left = posthorn.app.db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhook.id)
  assert.deepEqual(await left.execute(), [])
})
