import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, createTestApp } from '../../test/app.ts'
import { pluck, pluckRows } from '../../test/pluck.ts'
import { routes } from '../app.ts'
import { setPlan } from '../billing/set-plan.ts'
import { operatorOf, runAs } from '../platform/audit/actor.ts'
import { signatureOf, webhookSecret } from '../whatsapp/fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const team = await posthorn.team()
const { api } = team

/** Ids of what the steps made, by the first word of the action. */
const ids: Record<string, string> = {}

type Step = {
  route: string
  action: string
  /** In place of a call of the route with its body: for routes that need more. */
  body?: object | (() => object)
  /** Runs before the step and leaves entries of its own. */
  first?: () => Promise<unknown>
}

const unique = String(Date.now())
const whatsappNumber = { phoneNumber: '+447700900123', wabaId: `waba${unique}`, phoneNumberId: `phone${unique}` }
const contact = async () => {
  ids.contact = (await api.post('/v1/contacts', { email: 'ada@people.test' })).body.id
}
const made = (noun: string, path: string, body: object) => async () => {
  ids[noun] = (await api.post(path, body)).body.id
}

/**
 * One call of each route that changes configuration, keys, secrets or suppressions, in an order in which each succeeds.
 */
const steps: Step[] = [
  { route: 'POST /v1/api-keys', action: 'api_key.created', body: { name: 'Shop' } },
  { route: 'PATCH /v1/api-keys/:id', action: 'api_key.updated', body: { name: 'Web shop' } },
  { route: 'DELETE /v1/api-keys/:id', action: 'api_key.revoked' },
  { route: 'POST /v1/domains', action: 'domain.created', body: { name: 'audit.test' } },
  { route: 'PATCH /v1/domains/:id', action: 'domain.updated', body: { openTracking: true } },
  { route: 'POST /v1/domains/:id/verify', action: 'domain.verified' },
  { route: 'POST /v1/domains/:id/rotate-dkim', action: 'domain.key_rotated' },
  { route: 'DELETE /v1/domains/:id', action: 'domain.deleted' },
  {
    ...{ route: 'POST /v1/webhooks', action: 'webhook.created' },
    body: { endpointUrl: 'https://shop.test/hook', events: ['email.sent'] },
  },
  { route: 'PATCH /v1/webhooks/:id', action: 'webhook.updated', body: { status: 'inactive' } },
  { route: 'POST /v1/webhooks/:id/rotate-secret', action: 'webhook.secret_rotated' },
  { route: 'DELETE /v1/webhooks/:id', action: 'webhook.deleted' },
  {
    ...{ route: 'POST /v1/credentials', action: 'credential.created' },
    body: { name: 'Shop', type: 'bearer', secret: { token: 'a-secret-token' } },
  },
  { route: 'DELETE /v1/credentials/:id', action: 'credential.deleted' },
  { route: 'POST /v1/templates', action: 'template.created', body: { name: 'Welcome', text: 'Hello' } },
  { route: 'PATCH /v1/templates/:id', action: 'template.updated', body: { text: 'The body of a message' } },
  { route: 'PATCH /v1/templates/:id', action: 'template.published', body: { status: 'published' } },
  { route: 'DELETE /v1/templates/:id', action: 'template.deleted' },
  { route: 'POST /v1/segments', action: 'segment.created', body: { name: 'Customers' } },
  { route: 'PATCH /v1/segments/:id', action: 'segment.updated', body: { name: 'Readers' } },
  { route: 'DELETE /v1/segments/:id', action: 'segment.deleted' },
  { route: 'POST /v1/topics', action: 'topic.created', body: { name: 'News' } },
  { route: 'PATCH /v1/topics/:id', action: 'topic.updated', body: { name: 'Offers' } },
  {
    ...{ route: 'POST /v1/topics/:id/contacts', action: 'topic.contacts_subscribed', first: contact },
    body: () => ({ contactIds: [ids.contact] }),
  },
  { route: 'DELETE /v1/topics/:id/contacts/:contactId', action: 'topic.contact_opted_out' },
  { route: 'DELETE /v1/topics/:id', action: 'topic.deleted' },
  { route: 'POST /v1/suppressions', action: 'suppression.added', body: { email: 'bob@people.test' } },
  { route: 'DELETE /v1/suppressions/:id', action: 'suppression.removed' },
  { route: 'POST /v1/sms/opt-outs', action: 'sms_opt_out.added', body: { phoneNumber: '+61400000001' } },
  { route: 'DELETE /v1/sms/opt-outs/:id', action: 'sms_opt_out.removed' },
  { route: 'POST /v1/sms/senders', action: 'sms_sender.created', body: { name: 'Shop', senderId: 'Shop' } },
  { route: 'PATCH /v1/sms/senders/:id', action: 'sms_sender.updated', body: { name: 'Web shop' } },
  { route: 'POST /v1/sms/senders/:id/verify', action: 'sms_sender.verified' },
  { route: 'DELETE /v1/sms/senders/:id', action: 'sms_sender.deleted' },
  {
    ...{ route: 'POST /v1/whatsapp/senders', action: 'whatsapp_sender.created' },
    body: { name: 'Shop', ...whatsappNumber },
  },
  { route: 'PATCH /v1/whatsapp/senders/:id', action: 'whatsapp_sender.updated', body: { name: 'Web shop' } },
  { route: 'POST /v1/whatsapp/senders/:id/verify', action: 'whatsapp_sender.verified' },
  {
    ...{ route: 'POST /v1/whatsapp/templates', action: 'whatsapp_template.created' },
    body: { name: 'welcome', body: 'Hello' },
  },
  { route: 'PATCH /v1/whatsapp/templates/:id', action: 'whatsapp_template.updated', body: { body: 'Good day' } },
  { route: 'POST /v1/whatsapp/templates/:id/submit', action: 'whatsapp_template.submitted' },
  { route: 'DELETE /v1/whatsapp/templates/:id', action: 'whatsapp_template.deleted' },
  { route: 'DELETE /v1/whatsapp/senders/:id', action: 'whatsapp_sender.deleted' },
  { route: 'POST /v1/workflows', action: 'workflow.created', body: { name: 'Welcome' } },
  {
    ...{ route: 'PATCH /v1/workflows/:id', action: 'workflow.updated' },
    body: { nodes: [{ id: 'start', type: 'webhook_received' }] },
  },
  { route: 'POST /v1/workflows/:id/rotate-trigger-key', action: 'workflow.trigger_key_rotated' },
  { route: 'POST /v1/workflows/:id/activate', action: 'workflow.activated' },
  { route: 'POST /v1/workflows/:id/activate', action: 'workflow.deactivated' },
  { route: 'POST /v1/workflows/:id/duplicate', action: 'workflow.duplicated' },
  { route: 'DELETE /v1/workflows/:id', action: 'workflow.deleted' },
]

/**
 * Sends, runs, contacts and their campaigns, reads by POST, and events of providers: they change nothing of the above.
 */
const exceptions = [
  ...['POST /v1/emails', 'POST /v1/emails/batch', 'PATCH /v1/emails/:id', 'POST /v1/emails/:id/cancel'],
  ...['POST /v1/sms', 'POST /v1/sms/batch', 'POST /v1/whatsapp/messages', 'POST /v1/whatsapp/conversations/:id/reply'],
  ...['POST /v1/contacts', 'PATCH /v1/contacts/:id', 'DELETE /v1/contacts/:id', 'POST /v1/contacts/import'],
  ...['POST /v1/segments/:id/contacts', 'DELETE /v1/segments/:id/contacts/:contactId'],
  ...['POST /v1/broadcasts', 'PATCH /v1/broadcasts/:id', 'DELETE /v1/broadcasts/:id'],
  ...['POST /v1/broadcasts/:id/send', 'POST /v1/broadcasts/:id/cancel', 'POST /v1/broadcasts/:id/test'],
  ...['DELETE /v1/inbox', 'DELETE /v1/inbox/:id', 'POST /v1/workflows/:id/check'],
  ...['POST /v1/webhooks/:id/test', 'POST /v1/webhooks/:id/replay'],
  ...['POST /v1/workflows/:id/executions', 'POST /v1/workflows/:id/executions/:exec_id/rerun'],
  ...['POST /v1/workflows/:id/executions/:exec_id/cancel', 'POST /v1/webhooks/:id/deliveries/:deliveryId/replay'],
  ...['POST /v1/broadcasts/:id/test', 'POST /v1/previews', 'DELETE /v1/inbox/:id', 'POST /v1/workflows/:id/check'],
  ...['POST /v1/webhooks/:id/test', 'POST /v1/webhooks/:id/replay'],
  // Each tool makes a request of its own.
  'POST /mcp',
  // Pages of the payment provider, whose events are recorded as they arrive.
  ...['POST /v1/billing/checkout', 'POST /v1/billing/portal'],
]
/** Accounts, members and billing: the tests of their folders look at their entries. */
const tested = /^\w+ (\/auth\/|\/app\/|\/v1\/team(\/|$)|\/v1\/privacy\/)/

const changing = routes.filter(({ method, access }) => method !== 'GET' && access !== 'public')
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

async function entries() {
  const rows = posthorn.app.db.selectFrom('audit_entries').selectAll().where('team_id', '=', team.id)
  return rows.orderBy('id').execute()
}

function call({ route, body }: Step, noun: string): Promise<Answer> {
  const [method, pattern = ''] = route.split(' ')
  const path = pattern.replace(':id', ids[noun] ?? '').replace(':contactId', ids.contact ?? '')
  const content = typeof body === 'function' ? body() : body
  if (method === 'DELETE') return api.delete(path)
  return method === 'PATCH' ? api.patch(path, content) : api.post(path, content)
}

test('each change of configuration leaves one entry, of the key that made it', async () => {
  for (const step of steps) {
    await step.first?.()
    const noun = step.action.split('.')[0]!
    const before = await entries()
    const answer = await call(step, noun)
    assert.ok(answer.status < 300, `${step.route}: ${answer.text}`)
    if (step.action.endsWith('.created') || step.action.endsWith('.added')) ids[noun] = answer.body.id
    const added = (await entries()).slice(before.length)
    assert.deepEqual(pluck(added, 'action'), [step.action], step.route)
    const [{ actor_type, actor_name, target_type, request_id }] = added as [(typeof added)[number]]
    assert.deepEqual([actor_type, actor_name, target_type], ['api_key', 'test', noun], step.route)
    assert.equal(request_id, answer.headers['x-request-id'])
  }
})

test('no entry holds a secret or the body of a message', async () => {
  const text = JSON.stringify(await entries())
  for (const secret of ['a-secret-token', 'The body of a message', 'Good day', 'webhook_received']) {
    assert.ok(!text.includes(secret), secret)
  }
  assert.ok(!/ph_\w{20}|whsec_/.test(text))
  assert.ok(text.includes('***'))
})

test('a change that changes nothing leaves no entry', async () => {
  await made('topic', '/v1/topics', { name: 'Same' })()
  await made('suppression', '/v1/suppressions', { email: 'same@people.test' })()
  const before = await entries()
  await api.patch(`/v1/topics/${ids.topic}`, { name: 'Same' })
  await api.post('/v1/suppressions', { email: 'same@people.test' })
  assert.equal((await entries()).length, before.length)
})

test('every route that changes something leaves an entry, or stands among the exceptions', () => {
  const known = new Set([...steps.map(({ route }) => route), ...exceptions])
  const names = changing.map(nameOf).filter((name) => !tested.test(name) && !name.includes(' /providers/'))
  const unknown = names.filter((name) => !known.has(name))
  assert.deepEqual(unknown, [], 'Call recordChange and add a step above, or write the route into `exceptions`.')
  const gone = [...known].filter((name) => !names.includes(name))
  assert.deepEqual(gone, [], 'These routes do not exist.')
})

test('a plan that the operator sets is an entry of the operator, and a credit that a job renews one of the system', async () => {
  const other = await posthorn.team({ plan: 'free' })
  await runAs(operatorOf('team set-plan'), () => posthorn.app.transaction((tx) => setPlan(tx, other.id, 'pro')))
  posthorn.clock.advance(32 * 86_400_000)
  await runAs(operatorOf('seed'), () => posthorn.runDueJobs())
  const rows = await posthorn.app.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_type', 'actor_name', 'changes'])
    .where('team_id', '=', other.id)
    .where('action', 'in', ['team.plan_changed', 'credit.granted', 'credit.refilled'])
    .orderBy('id')
    .execute()
  assert.deepEqual(pluckRows(rows, 'action', 'actor_type', 'actor_name'), [
    ['team.plan_changed', 'operator', 'team set-plan'],
    ['credit.granted', 'operator', 'team set-plan'],
    ['credit.refilled', 'system', 'Posthorn'],
  ])
  assert.deepEqual(rows[0]!.changes, { plan: { from: 'free', to: 'pro' } })
})

test('events of providers and mail that comes back leave no entry of suppressions', async () => {
  const events = JSON.stringify({ events: [] })
  await posthorn.anyone.post('/v1/whatsapp/webhooks/inbound', events, { 'x-signature': signatureOf(events) })
  const before = await entries()
  await api.post('/providers/capture/sms', { from: '+61491570156', to: '+61400000000', body: 'STOP' })
  assert.equal((await entries()).length, before.length)
})
