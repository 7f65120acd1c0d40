import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Resend } from 'resend'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { createWebhookApp, signatureOf } from './fixtures/app.ts'
import { type Received, startReceiver } from './fixtures/receiver.ts'

const posthorn = await createWebhookApp()
// Libraries compare the time of a delivery with that of the machine.
posthorn.clock.advance(Date.now() - posthorn.clock.now().getTime())

async function delivered(change?: object): Promise<{ received: Received; secret: string }> {
  const { team, receiver, webhook } = await posthorn.setUp()
  if (change) assert.equal((await team.api.patch(webhook.path, change)).status, 200)
  await posthorn.happen(team.id)
  await posthorn.runDueJobs()
  return { received: receiver.received[0]!, secret: webhook.secret }
}

function headersOf({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

test('svix and Resend’s verifier accept every delivery, whose other headers stay as they are specified', async () => {
  const { received, secret } = await delivered()
  const headers = headersOf(received)
  const payload = JSON.parse(received.body)
  const ofSvix = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('svix-')))
  assert.deepEqual(new SvixWebhook(secret).verify(received.body, ofSvix), payload)
  const [id, timestamp, signature] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) => headers[name]!)
  const given = { payload: received.body, webhookSecret: secret }
  const verified = new Resend('re_1').webhooks.verify({
    ...given,
    headers: { id: id!, timestamp: timestamp!, signature: signature! },
  })
  assert.deepEqual(verified, payload)
  assert.throws(() => new SvixWebhook(secret).verify(`${received.body} `, ofSvix))
  assert.equal(headers['webhook-signature'], signatureOf(received, secret))
  assert.throws(() => new StandardWebhook(secret).verify(received.body, headers))
})

test('with the scheme standard, the library of Standard Webhooks accepts a delivery', async () => {
  const { received, secret } = await delivered({ signatureScheme: 'standard' })
  const headers = headersOf(received)
  assert.deepEqual(new StandardWebhook(secret).verify(received.body, headers), JSON.parse(received.body))
  assert.equal(headers['webhook-signature'], headers['svix-signature'])
})

test('after a rotation, receivers with the former secret accept deliveries as well', async () => {
  const [team, receiver] = [await posthorn.team(), await startReceiver()]
  const webhook = { endpointUrl: receiver.url, events: ['email.delivered'], signatureScheme: 'standard' }
  const { body: made } = await team.api.post('/v1/webhooks', webhook)
  assert.equal(made.signatureScheme, 'standard')
  const { body: rotated } = await team.api.post(`/v1/webhooks/${made.id}/rotate-secret`)
  await posthorn.happen(team.id)
  await posthorn.runDueJobs()
  const [received] = receiver.received
  for (const secret of [made.signingSecret, rotated.signingSecret]) {
    assert.ok(new StandardWebhook(secret).verify(received!.body, headersOf(received!)))
    assert.ok(new SvixWebhook(secret).verify(received!.body, headersOf(received!)))
  }
})

test('another scheme is refused', async () => {
  const { api } = await posthorn.team()
  const webhook = { endpointUrl: 'https://shop.test', events: ['email.sent'], signatureScheme: 'svix' }
  assert.equal((await api.post('/v1/webhooks', webhook)).status, 400)
})
