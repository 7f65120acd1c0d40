import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { EmailBouncedEvent } from '../../sdk/src/index.ts'
import {
  type VerificationFailure,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../sdk/src/webhooks.ts'
import { eventTypes } from '../../src/webhooks/event-types.ts'
import { newSigningSecret } from '../../src/webhooks/signing-secret.ts'

const [secret, other] = [newSigningSecret(), newSigningSecret()]
const event = {
  type: 'email.delivered',
  created_at: '2026-01-31T09:30:00.000Z',
  data: { email_id: 'x', details: null },
}
const body = JSON.stringify(event)
const now = () => Math.floor(Date.now() / 1000)
/** Signs as docs/webhooks.md says. */
function signed(secrets = [secret], at = now(), text = body): Record<string, string> {
  const signatures = secrets.map((key) => `v1,${createHmac('sha256', key).update(`${at}.${text}`).digest('base64')}`)
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signatures.join(' ') }
}

test('a delivery is verified from text or bytes, and from headers of each kind', async () => {
  const headers = signed()
  const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  const ofAnotherClass = { get: (name: string) => headers[name] ?? null }
  for (const given of [headers, new Headers(headers), capitals, ofAnotherClass])
    for (const sent of [body, Buffer.from(body)]) assert.deepEqual(await verifyWebhook(sent, given, secret), event)
})

test('a receiver that gives its old and its new secret accepts deliveries before and after a rotation', async () => {
  for (const signing of [secret, other])
    assert.deepEqual(await verifyWebhook(body, signed([signing]), [secret, other]), event)
})

test('a delivery of a server that still signs with two secrets fits each of them', async () => {
  const headers = signed([secret, other])
  for (const given of [secret, other, ['whsec_else', other]])
    assert.deepEqual(await verifyWebhook(body, headers, given), event)
})

test('the events are a union that their type tells apart, and one of test mode says so', async () => {
  const types = { 'email.sent': 1, 'email.delivered': 1, 'email.delivery_delayed': 1, 'email.bounced': 1 }
  const others = { 'email.complained': 1, 'email.opened': 1, 'email.clicked': 1 }
  const all: Record<WebhookEvent['type'], number> = { ...types, ...others }
  assert.deepEqual(Object.keys(all), eventTypes)
  const idOfBounce = (told: WebhookEvent): string | null => {
    if (told.type !== 'email.bounced') return null
    const bounced: EmailBouncedEvent = told
    return bounced.data.email_id
  }
  const text = JSON.stringify({ ...event, type: 'email.bounced', mode: 'test' })
  const told = await verifyWebhook(text, signed([secret], now(), text), secret)
  const mode: 'test' | undefined = told.mode
  assert.deepEqual([mode, idOfBounce(told)], ['test', 'x'])
})

test('an empty secret among several is skipped, and without any the fault is said', async () => {
  assert.deepEqual(await verifyWebhook(body, signed(), ['', secret]), event)
  await assert.rejects(verifyWebhook(body, signed([other]), ['', secret]), WebhookVerificationError)
  for (const none of ['', [], [''], undefined, [undefined]])
    await assert.rejects(verifyWebhook(body, signed(), none), /^TypeError: Give the signing secret/)
})

test('a delivery that is not genuine is refused with the reason', async () => {
  const cases: [VerificationFailure, string, Record<string, string>, string?][] = [
    ['missing_header', body, {}],
    ['stale', body, signed([secret], now() - 301)],
    ['stale', body, signed([secret], now() + 301)],
    ['stale', body, { ...signed(), 'webhook-timestamp': 'soon' }],
    ['bad_signature', body, signed(), other],
    ['bad_signature', body.replace('delivered', 'bounced'), signed()],
    ['bad_signature', body, { ...signed(), 'webhook-timestamp': String(now() - 1) }],
    ['bad_signature', body, { ...signed(), 'webhook-signature': 'v1,%%% v2,AAAA' }],
    ['not_json', 'hello', signed([secret], now(), 'hello')],
  ]
  for (const [reason, text, headers, withSecret = secret] of cases) {
    await assert.rejects(verifyWebhook(text, headers, withSecret), (error: WebhookVerificationError) => {
      assert.equal(error.reason, reason)
      return error instanceof WebhookVerificationError
    })
  }
  assert.deepEqual(await verifyWebhook(body, signed([secret], now() - 900), secret, { toleranceSeconds: 1000 }), event)
})
