import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { createWebhookApp, makeWebhook } from '../fixtures/app.ts'

const posthorn = await createWebhookApp()
const dayMs = 24 * 3_600_000

const setUp = () => posthorn.setUp(['email.sent', 'email.bounced'])

const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

test('deliveries are listed newest first, in pages that stay put while others are added', async () => {
  const { team, webhook } = await setUp()
  for (let count = 0; count < 25; count++) await posthorn.happen(team.id, 'email.sent')
  const all = await webhook.deliveries('?limit=100')
  assert.deepEqual([all.data.length, all.cursor, all.hasMore], [25, null, false])
  assert.deepEqual(idsOf(all), idsOf(all).toSorted().toReversed())
  const first = await webhook.deliveries()
  assert.deepEqual([first.data.length, first.hasMore], [20, true])
  await posthorn.happen(team.id, 'email.sent')
  const second = await webhook.deliveries(`?cursor=${first.cursor}`)
  assert.deepEqual([...idsOf(first), ...idsOf(second)], idsOf(all))
  assert.deepEqual([second.cursor, second.hasMore], [null, false])
})

test('the list is filtered by status and event type, and a cursor is valid for its own list only', async () => {
  const { team, receiver, webhook } = await setUp()
  await posthorn.happen(team.id, 'email.sent')
  await posthorn.happenNow(team.id, 'email.bounced')
  receiver.answer = 500
  await posthorn.happen(team.id, 'email.sent')
  await posthorn.happenNow(team.id, 'email.sent')
  const count = async (query: string) => (await webhook.deliveries(query)).data.length
  const filters = ['', '?status=delivered', '?status=pending', '?status=failed', '?eventType=email.sent']
  assert.deepEqual(await Promise.all(filters.map(count)), [4, 2, 2, 0, 3])
  assert.equal(await count('?status=delivered&eventType=email.bounced'), 1)
  await team.api.patch(webhook.path, { status: 'inactive' })
  await posthorn.runDueJobs()
  assert.deepEqual([await count('?status=failed'), await count('?status=pending')], [2, 0])

  const { cursor } = await webhook.deliveries('?limit=1')
  const another = await makeWebhook(team.api, receiver.url)
  const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
  for (const path of [
    `${webhook.path}/deliveries?limit=1&cursor=${changed}`,
    `${webhook.path}/deliveries?status=failed&cursor=${cursor}`,
    `${another.path}/deliveries?cursor=${cursor}`,
    `${webhook.path}/deliveries?limit=0`,
    `${webhook.path}/deliveries?limit=101`,
    `${webhook.path}/deliveries?status=done`,
    `${webhook.path}/deliveries?eventType=email.read`,
    `${webhook.path}/deliveries?search=x`,
  ]) {
    assert.equal((await team.api.get(path)).status, 400, path)
  }
})

test('a replay is a new pending delivery with the same payload, due at once', async () => {
  const { team, receiver, webhook } = await setUp()
  receiver.answer = 500
  await posthorn.happenNow(team.id, 'email.bounced')
  const [failing] = (await webhook.deliveries()).data
  posthorn.clock.advance(1000)
  receiver.answer = 200
  const replay = await ok(team.api.post(`${webhook.path}/deliveries/${failing.id}/replay`), 201)
  const { id, payload, ...rest } = replay
  assert.notEqual(id, failing.id)
  assert.deepEqual(payload, JSON.parse(receiver.received[0]!.body))
  assert.deepEqual(rest, {
    ...{ webhookId: webhook.id, eventType: 'email.bounced', status: 'pending', attempts: 0, responseStatusCode: null },
    ...{
      lastAttemptAt: null,
      nextRetryAt: null,
      createdAt: posthorn.clock.now().toISOString(),
      endpointUrl: receiver.url,
    },
  })
  await posthorn.runDueJobs()
  const [first, second] = receiver.received
  assert.equal(second!.body, first!.body)
  assert.equal(second!.headers['webhook-id'], id)
  assert.deepEqual((await team.api.get(`${webhook.path}/deliveries/${failing.id}`)).body.status, 'pending')
  assert.equal((await team.api.get(`${webhook.path}/deliveries/${id}`)).body.status, 'delivered')
})

test('failed and delivered deliveries can be replayed while the webhook is active', async () => {
  const { team, receiver, webhook } = await setUp()
  await posthorn.happenNow(team.id, 'email.sent')
  const [delivery] = (await webhook.deliveries()).data
  const replay = () => team.api.post(`${webhook.path}/deliveries/${delivery.id}/replay`)
  await team.api.patch(webhook.path, { status: 'inactive' })
  const refused = await replay()
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.equal((await webhook.deliveries()).data.length, 1)
  await team.api.patch(webhook.path, { status: 'active' })
  assert.equal((await replay()).status, 201)
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 2)
})

test("another team's deliveries, and another webhook's, are answered as ones that do not exist", async () => {
  const [ours, theirs] = [await setUp(), await setUp()]
  await posthorn.happen(theirs.team.id, 'email.sent')
  const [{ id }] = (await theirs.webhook.deliveries()).data
  const second = await makeWebhook(theirs.team.api, theirs.receiver.url)
  for (const answer of [
    await ours.team.api.get(`${theirs.webhook.path}/deliveries`),
    await ours.team.api.get(`${theirs.webhook.path}/deliveries/${id}`),
    await ours.team.api.get(`${ours.webhook.path}/deliveries/${id}`),
    await ours.team.api.post(`${ours.webhook.path}/deliveries/${id}/replay`),
    await ours.team.api.post(`${theirs.webhook.path}/deliveries/${id}/replay`),
    await theirs.team.api.get(`${second.path}/deliveries/${id}`),
  ]) {
    assert.equal(answer.status, 404, answer.text)
  }
})

test('finished deliveries are removed after 30 days, pending ones never', async () => {
  const { team, receiver, webhook } = await setUp()
  await posthorn.happenNow(team.id, 'email.sent')
  posthorn.clock.advance(29 * dayMs)
  await posthorn.happenNow(team.id, 'email.sent')
  assert.equal((await webhook.deliveries()).data.length, 2)
  receiver.answer = 500
  await posthorn.happen(team.id, 'email.sent')
  await posthorn.runDueJobsAfter(1 * dayMs + 3_600_000)
  const { data } = await webhook.deliveries()
  assert.deepEqual(pluck(data, 'status'), ['pending', 'delivered'])
})
