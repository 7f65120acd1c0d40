import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import { requestsOfPages } from './requests-of-pages.ts'

/** Endpoints that no page calls, and why. Everything else of the API can be used from the dashboard. */
const exceptions: Record<string, string> = {
  'GET /auth/oauth/:provider/callback': 'the provider leads there',
  'POST /auth/refresh': 'a browser session has its cookie',
  'POST /auth/logout': 'a browser session ends with DELETE /auth/session',
  'POST /v1/emails/batch': 'for programs: a person sends one email, or a broadcast',
  'POST /v1/sms/batch': 'for programs: a person sends one message',
  'GET /v1/api-keys/:id': 'the list has all its fields',
  'GET /v1/suppressions/:id': 'the list has all its fields',
  'GET /v1/sms/opt-outs/:id': 'the list has all its fields',
  'GET /v1/feed': 'for programs: a page has GET /v1/live',
  'GET /v1/feed/stream': 'for programs: a page has GET /v1/live',
  'GET /v1/inbox/sms': 'conversations of GET /v1/inbox/threads have the same messages',
  'POST /v1/whatsapp/conversations/:id/reply': 'a page replies with POST /v1/whatsapp/messages, which takes a key',
  'GET /v1/inbox/whatsapp': 'conversations of GET /v1/inbox/threads have the same messages',
}

/** Called by others than a signed-in person: providers, recipients, monitoring, and the senders of trigger URLs. */
const notForPages =
  /^\w+ \/(mcp|app|providers|billing|t|unsubscribe|health|ready|metrics|openapi|docs|\.well-known|$)|^\w+ \/v1\/(webhooks\/payments|whatsapp\/webhooks\/inbound|workflows\/triggers)/

const requests = requestsOfPages()
const isCalled = (name: string) => requests.has(name)
const names = routes.map(({ method, path }) => `${method} ${path}`)

test('every endpoint of the API is called by a page of the dashboard', () => {
  const unreached = names.filter((name) => !notForPages.test(name) && !(name in exceptions) && !isCalled(name))
  assert.deepEqual(
    unreached,
    [],
    'Call it in the folder of its page in dashboard/src/, or write into `exceptions` why no page needs it.',
  )
})

test('an endpoint that a page calls is no exception, and the exceptions are endpoints', () => {
  const wrong = Object.keys(exceptions).filter((name) => isCalled(name) || !names.includes(name))
  assert.deepEqual(wrong, [], 'Take it out of `exceptions`.')
})
