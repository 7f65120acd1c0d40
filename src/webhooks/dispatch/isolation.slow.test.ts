// needs: alone
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createWebhookApp, makeWebhook } from '../fixtures/app.ts'
import { startReceiver } from '../fixtures/receiver.ts'

// Longer than the whole file takes, so no attempt times out.
const posthorn = await createWebhookApp({ WEBHOOK_TIMEOUT: '2h' })

test('an endpoint that does not answer delays no other, and has few requests under way', async () => {
  const [slow, quick] = [await posthorn.team(), await posthorn.team()]
  const [silent, healthy] = [await startReceiver(), await startReceiver()]
  const held: ServerResponse[] = []
  silent.answer = (response) => held.push(response)
  const webhook = await makeWebhook(slow.api, silent.url)
  await makeWebhook(quick.api, healthy.url)
  for (let count = 0; count < 200; count++) await posthorn.happen(slow.id)
  for (let count = 0; count < 200; count++) await posthorn.happen(quick.id)
  const working = posthorn.runDueJobs()
  await healthy.until(200)
  assert.ok(silent.received.length <= 4, `${silent.received.length} requests wait at the silent one`)
  // Once it answers, everything arrives.
  silent.answer = 200
  for (const response of held) response.end()
  await working
  assert.equal(new Set(silent.received.map(({ headers }) => headers['webhook-id'])).size, 200)
  assert.equal(silent.received.length, 200)
  assert.deepEqual((await webhook.deliveries('?status=pending')).data, [])
})

test('new events are sent while an answer is awaited', async () => {
  const [team, receiver] = [await posthorn.team(), await startReceiver()]
  const held: ServerResponse[] = []
  receiver.answer = (response) => held.push(response)
  const webhook = await makeWebhook(team.api, receiver.url)
  await posthorn.happen(team.id)
  const working = posthorn.runDueJobs()
  await receiver.until(1)
  receiver.answer = 200
  await posthorn.happen(team.id)
  await receiver.until(2)
  held[0]!.end()
  await working
  assert.equal((await webhook.deliveries('?status=delivered')).data.length, 2)
})

test('many events of many webhooks are each delivered once', async () => {
  const [team, receiver] = [await posthorn.team(), await startReceiver()]
  const webhooks = await Promise.all(Array.from({ length: 30 }, () => makeWebhook(team.api, receiver.url)))
  const happening = (async () => {
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 5 }, () => posthorn.happen(team.id)))
  })()
  await posthorn.runDueJobs()
  await happening
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 30 * 50)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 30 * 50)
  for (const webhook of webhooks)
    assert.equal((await webhook.deliveries('?limit=100&status=delivered')).data.length, 50)
  const left = await posthorn.app.db.selectFrom('jobs').select('id').where('team_id', '=', team.id).execute()
  assert.deepEqual(left, [])
})
