import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import { callsOfDashboard } from './dashboard-calls.ts'

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
  'GET /v1/inbox/sms': 'conversations of GET /v1/inbox/threads have the same messages',
  'GET /v1/inbox/whatsapp': 'conversations of GET /v1/inbox/threads have the same messages',
}

/** Called by others than a signed-in person: providers, recipients, monitoring, and the senders of trigger URLs. */
const notForPages =
  /^\w+ \/(app|providers|billing|t|unsubscribe|health|ready|metrics|openapi\.json|docs|\.well-known|$)|^\w+ \/v1\/(webhooks\/payments|whatsapp\/webhooks\/inbound|workflows\/triggers)/

/** Calls whose path is put together from parts: the file, and what it must hold. */
// biome-ignore format: one line a call
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the sources hold these placeholders
const assembled: Record<string, [file: string, holds: string]> = {
  'POST /v1/billing/checkout': ['billing/billing.ts', "goTo('/v1/billing/checkout'"],
  'POST /v1/billing/portal': ['billing/billing.ts', "goTo('/v1/billing/portal'"],
  'PATCH /v1/topics/:id': ['audience/group-page.tsx', 'patch(path,'],
  'DELETE /v1/topics/:id': ['audience/group-page.tsx', '<DeleteShown noun={kind.noun}'],
  'PATCH /v1/segments/:id': ['audience/group-page.tsx', 'patch(path,'],
  'DELETE /v1/segments/:id': ['audience/group-page.tsx', '<DeleteShown noun={kind.noun}'],
  'GET /v1/emails/:id/attachments/:n': ['emails/show.tsx', '/v1/emails/${id}/attachments'],
  'GET /v1/inbox/:id/attachments/:n': ['inbox/reading.tsx', '${inboxPath}/${id}/attachments'],
  'DELETE /v1/sms/senders/:id': ['sms/senders/page.tsx', '<DeleteShown {...{ noun, id }}'],
  'POST /v1/sms/senders/:id/verify': ['sms/senders/page.tsx', '`${path}/${id}/verify`'],
  'DELETE /v1/whatsapp/senders/:id': ['whatsapp/senders/show.tsx', 'SenderPage<'],
  'POST /v1/whatsapp/senders/:id/verify': ['whatsapp/senders/show.tsx', 'SenderPage<'],
  'GET /v1/workflows/:id/executions/:exec_id': ['workflows/executions/show.tsx', 'oneOf<ExecutionDetail>(path, id)'],
  'GET /v1/workflows/:id/executions/:exec_id/graph': ['workflows/executions/show.tsx', "'/graph'"],
  'POST /v1/workflows/:id/executions/:exec_id/rerun': ['workflows/executions/actions.tsx', '`${path}/rerun`'],
  'POST /v1/workflows/:id/executions/:exec_id/cancel': ['workflows/executions/actions.tsx', '`${path}/cancel`'],
  'GET /v1/webhooks/:id/deliveries/:deliveryId': ['webhooks/delivery.tsx', 'useOne<DeliveryWithPayload>('],
  'GET /v1/webhooks/:id/deliveries/:deliveryId/attempts': ['webhooks/delivery.tsx', '/attempts?limit=100`'],
  'POST /v1/webhooks/:id/deliveries/:deliveryId/replay': ['webhooks/delivery.tsx', '`${path}/${delivery.id}/replay`'],
  'GET /v1/metrics/sms': ['metrics/figures.tsx', "channel: 'sms'"],
  'GET /v1/metrics/whatsapp': ['metrics/figures.tsx', "channel: 'whatsapp'"],
  'GET /v1/metrics/workflows': ['metrics/figures.tsx', "channel: 'workflows'"],
  'GET /v1/metrics/webhooks': ['metrics/figures.tsx', "channel: 'webhooks'"],
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the sources hold these placeholders

const calls = callsOfDashboard()
const endpoints = routes
  .map(({ method, path }) => `${method} ${path}`)
  .filter((name) => !notForPages.test(name) && !(name in exceptions))

function comparable(endpoint: string): string {
  return endpoint.replaceAll(/:\w+|\{\w*\}/g, '{}')
}

test('every endpoint of the API is called by a page of the dashboard', () => {
  const unreached = endpoints.filter((name) => !calls.has(comparable(name)) && !(name in assembled))
  assert.deepEqual(
    unreached,
    [],
    'Call it in the folder of its page in dashboard/src/, or write into `exceptions` why no page needs it. A path that is put together from parts belongs into `assembled`.',
  )
})

test('an endpoint that a page calls is no exception', () => {
  const reached = Object.keys(exceptions).filter((name) => calls.has(comparable(name)))
  assert.deepEqual(reached, [], 'Take it out of `exceptions`.')
})

test('a call whose path is put together is where the table says', () => {
  const root = new URL('../dashboard/src/', import.meta.url)
  const missing = Object.entries(assembled).filter(
    ([, [file, holds]]) => !readFileSync(new URL(file, root), 'utf8').includes(holds),
  )
  assert.deepEqual(missing, [], 'Write the file and the call of now into `assembled`.')
})

test('the exceptions are endpoints', () => {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  assert.deepEqual(
    [...Object.keys(exceptions), ...Object.keys(assembled)].filter((name) => !known.has(name)),
    [],
  )
})
