import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { productionEnvironment } from '../../test/production.ts'
import { listen } from '../platform/egress/fixtures/loopback.ts'
import { makeWebhook, signatureOf } from './fixtures/app.ts'
import type { Received } from './fixtures/receiver.ts'

const posthorn = await createTestApp()
const received: Received[] = []
const port = await listen(
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url = '', method = '', headers } = request
    received.push({ path: url, method, headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(url === '/away' ? 307 : 200, { location: 'http://127.0.0.1:1/' }).end()
  }),
)

test('outside production a webhook delivers to http:// on this machine', async () => {
  const { api } = await posthorn.team()
  for (const host of ['localhost', '127.0.0.1', 'LOCALHOST']) {
    const webhook = await makeWebhook(api, `http://${host}:${port}/${host}`)
    await api.post(`${webhook.path}/test`, { eventType: 'email.delivered' })
    await posthorn.runDueJobs()
    const [delivery] = (await webhook.deliveries()).data
    assert.deepEqual([delivery.status, delivery.responseStatusCode], ['delivered', 200], host)
    const request = received.at(-1)!
    assert.equal(request.headers['webhook-signature'], signatureOf(request, webhook.secret))
  }
})

test('a redirect of such a webhook is not followed', async () => {
  const { api } = await posthorn.team()
  const webhook = await makeWebhook(api, `http://localhost:${port}/away`)
  await api.post(`${webhook.path}/test`, { eventType: 'email.delivered' })
  await posthorn.runDueJobs()
  const [delivery] = (await webhook.deliveries()).data
  assert.deepEqual([delivery.status, delivery.responseStatusCode], ['pending', 307])
})

test('http:// elsewhere, and https:// on this machine, are refused as in production', async () => {
  const { api } = await posthorn.team()
  for (const endpointUrl of [
    ...[
      'http://example.com/',
      'http://localhost.example.com/',
      'http://a.localhost/',
      'http://10.0.0.1/',
      'http://0.0.0.0/',
    ],
    ...['http://[::]/', 'http://[fc00::1]/', 'http://169.254.169.254/', 'http://me@localhost/', 'http:localhost/'],
    ...['https://localhost/', 'https://127.0.0.1:4000/', 'https://[::1]/', ' http://localhost/', 'ws://localhost/'],
  ]) {
    const { status, body } = await api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'] })
    assert.deepEqual([status, body.errors?.[0].path], [400, 'endpointUrl'], endpointUrl)
  }
})

test('in production http:// on this machine is refused, and one saved before is not called', async () => {
  const strict = await createTestApp({
    ...productionEnvironment,
  })
  const { api } = await strict.team()
  const endpointUrl = `http://127.0.0.1:${port}/strict`
  const refused = await api.post('/v1/webhooks', { endpointUrl, events: ['email.delivered'] })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].message, 'must be an https:// URL without blanks')
  const webhook = await makeWebhook(api, 'https://hooks.example.com/')
  await strict.app.db.updateTable('webhooks').set({ endpoint_url: endpointUrl }).where('id', '=', webhook.id).execute()
  await api.post(`${webhook.path}/test`, { eventType: 'email.delivered' })
  await strict.runDueJobs()
  assert.equal((await webhook.deliveries()).data[0].status, 'pending')
  assert.deepEqual(
    received.filter(({ path }) => path === '/strict'),
    [],
  )
})
