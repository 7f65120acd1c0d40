// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startReceiver } from '../../src/webhooks/fixtures/receiver.ts'
import { call, createWorkshop, email, until } from './installation.ts'

const workshop = await createWorkshop()

type Delivery = { id: string; status: string; attempts: number }

const certificate = fileURLToPath(new URL('../../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url))

test('after a kill every webhook delivery arrives, and those in flight arrive again with the same id', async () => {
  const trust = { OUTBOUND_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: certificate }
  const { first, start, key } = await workshop.install({ EMAIL_PROVIDER: 'capture', ...trust })
  const receiver = await startReceiver()
  const events = ['email.sent', 'email.delivered']
  const made = await call(first, key, 'POST', '/v1/webhooks', { endpointUrl: receiver.url, events })
  const { id: webhookId } = made.body as { id: string }

  let killed: Promise<void> | undefined
  receiver.answer = (response) => {
    if (receiver.received.length < 8) response.end()
    // This request and the concurrent ones get no answer.
    else killed ??= first.kill()
  }
  const sent = new Set<string>()
  for (let count = 0; count < 20 && !killed; count++) {
    const answer = await call(first, key, 'POST', '/v1/emails', email(`Kill ${count}`)).catch(() => null)
    if (answer?.status === 200) sent.add((answer.body as { id: string }).id)
  }
  await until('the kill', () => killed !== undefined)
  await killed
  const underWay = receiver.received.slice(7).map(({ headers }) => String(headers['webhook-id']))
  receiver.answer = 200

  const second = await start()
  const deliveries = await until('all delivered', async () => {
    const { body } = await call(second, key, 'GET', `/v1/webhooks/${webhookId}/deliveries?limit=100`)
    const { data } = body as { data: Delivery[] }
    return data.every(({ status }) => status === 'delivered') && data
  })
  const count = (id: string) => receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length
  assert.ok(sent.size > 0 && deliveries.length >= 2 * sent.size)
  for (const { id, attempts } of deliveries) {
    assert.equal(attempts, 1, 'an attempt without a record does not count')
    assert.ok(count(id) >= 1, 'it arrived')
  }
  assert.ok(underWay.length > 0)
  for (const id of underWay) assert.ok(count(id) >= 2, 'what was under way was sent again')
  for (const id of sent) {
    const told = receiver.received.filter(({ body }) => body.includes(id)).map(({ body }) => JSON.parse(body).type)
    assert.deepEqual([...new Set(told)].sort(), ['email.delivered', 'email.sent'])
  }
})
