import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { createTestApp } from '../../../../../test/app.ts'
import { readConfig } from '../../../../config.ts'
import { startStripe } from '../../fixtures/stripe-api.ts'
import { checkout, deleted, post, updated } from '../../fixtures/stripe-events.ts'

const stripe = await startStripe()
const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
const posthorn = await createTestApp(stripe.environment, { log })
const now = Math.floor(posthorn.clock.now().getTime() / 1000)

beforeEach(() => {
  stripe.fault = null
  stripe.asked.length = 0
})

function lastAsked() {
  return stripe.asked.at(-1)!
}

test('the start names the secret of Stripe’s that is missing', () => {
  const named = { PAYMENTS_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x' }
  assert.throws(() => readConfig(named), /STRIPE_WEBHOOK_SECRET/)
  assert.throws(() => readConfig({ PAYMENTS_PROVIDER: 'stripe', STRIPE_WEBHOOK_SECRET: 'x' }), /STRIPE_SECRET_KEY/)
})

test('a checkout at Stripe has the plan’s price, three metered prices, the team and the plan', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const { status, body } = await team.api.post('/v1/billing/checkout', { plan: 'scale' })
  assert.deepEqual([status, body], [200, { url: 'https://checkout.stripe.test/c/cs_1' }])
  const { method, path, fields } = lastAsked()
  assert.deepEqual([method, path], ['POST', '/v1/checkout/sessions'])
  assert.deepEqual(fields, {
    mode: 'subscription',
    'line_items[0][price]': 'price_posthorn_scale',
    'line_items[0][quantity]': '1',
    'line_items[1][price]': 'price_posthorn_sms_zone1',
    'line_items[2][price]': 'price_posthorn_sms_zone2',
    'line_items[3][price]': 'price_posthorn_sms_zone3',
    client_reference_id: team.id,
    'metadata[teamId]': team.id,
    'metadata[plan]': 'scale',
    'subscription_data[metadata][teamId]': team.id,
    'subscription_data[metadata][plan]': 'scale',
    success_url: 'http://localhost:3000/app/settings',
    cancel_url: 'http://localhost:3000/app/settings',
  })
})

test('a team that bought before is the same customer, and gets to its portal', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const early = await team.api.post('/v1/billing/portal', {})
  assert.deepEqual([early.status, early.body.name], [409, 'conflict'])
  assert.match(early.body.message, /Check out a plan first/)
  stripe.customers.add('cus_42')
  await post(posthorn, checkout({ id: 'sub_1', at: now, teamId: team.id, plan: 'pro', customer: 'cus_42' }))
  const { body } = await team.api.post('/v1/billing/portal', { returnUrl: 'https://shop.test/back' })
  assert.deepEqual(body, { url: 'https://billing.stripe.test/p/bps_1' })
  assert.deepEqual(lastAsked().fields, { customer: 'cus_42', return_url: 'https://shop.test/back' })
  await team.api.post('/v1/billing/checkout', { plan: 'scale' })
  assert.equal(lastAsked().fields.customer, 'cus_42')
})

test('a team whose customer is gone at Stripe checks out as a new customer', async () => {
  const team = await posthorn.team({ plan: 'free' })
  await post(posthorn, checkout({ id: 'sub_lost', at: now, teamId: team.id, plan: 'pro', customer: 'cus_gone' }))
  const portal = await team.api.post('/v1/billing/portal', {})
  assert.deepEqual([portal.status, portal.body.name], [409, 'conflict'])
  const { status, body } = await team.api.post('/v1/billing/checkout', { plan: 'scale' })
  assert.deepEqual([status, body], [200, { url: 'https://checkout.stripe.test/c/cs_1' }])
  assert.equal(lastAsked().fields.customer, undefined)
  stripe.customers.add('cus_new')
  await post(posthorn, checkout({ id: 'sub_next', at: now + 9, teamId: team.id, plan: 'scale', customer: 'cus_new' }))
  await team.api.post('/v1/billing/portal', {})
  assert.equal(lastAsked().fields.customer, 'cus_new')
  await posthorn.runDueJobs()
})

test('interim answers that were not asked for are passed over', async () => {
  const team = await posthorn.team({ plan: 'free' })
  stripe.isHasty = true
  const { status, body } = await team.api.post('/v1/billing/checkout', { plan: 'pro' })
  stripe.isHasty = false
  assert.deepEqual([status, body.url], [200, 'https://checkout.stripe.test/c/cs_1'], JSON.stringify(body))
  assert.deepEqual(
    stripe.asked.map(({ method, path }) => `${method} ${path}`),
    ['GET /v1/prices', 'POST /v1/checkout/sessions'],
  )
})

test('a subscription without one of our plans neither replaces a plan nor is ended', async () => {
  for (const isFirst of [true, false]) {
    const team = await posthorn.team({ plan: 'free' })
    const read = async () => (await team.api.get('/v1/billing/subscription')).body
    const tell = async (event: unknown) => assert.equal((await post(posthorn, event)).status, 200)
    const [plan, extra] = [`sub_plan${isFirst}`, `sub_extra${isFirst}`]
    const addOn = updated({ id: extra, at: isFirst ? now : now + 9, teamId: team.id, customer: 'cus_1' })
    if (isFirst) await tell(addOn)
    await tell(checkout({ id: plan, at: now + 5, teamId: team.id, plan: 'pro' }))
    if (!isFirst) await tell(addOn)
    await posthorn.runDueJobs()
    assert.deepEqual(stripe.asked, [])
    assert.deepEqual([(await read()).plan, (await read()).providerSubscriptionId], ['pro', plan])
    await tell(deleted({ id: plan, at: now + 20 }))
    assert.deepEqual([(await read()).plan, (await read()).providerSubscriptionId], ['free', null])
    await posthorn.runDueJobs()
    assert.deepEqual(stripe.asked, [])
  }
})

test('a subscription that is gone at Stripe is not ended again', async () => {
  await posthorn.app.payments.endSubscription('sub_gone')
})

test('overage is reported by the id of its message, and counts once when the answer was lost', async () => {
  const usage = { teamId: posthorn.app.newId(), customerId: 'cus_42', messageId: posthorn.app.newId() }
  const at = posthorn.clock.now()
  await posthorn.app.payments.reportUsage({ ...usage, eventName: 'sms_zone3_send', at })
  assert.deepEqual(lastAsked().fields, {
    event_name: 'sms_zone3_send',
    identifier: usage.messageId,
    timestamp: String(Math.floor(at.getTime() / 1000)),
    'payload[stripe_customer_id]': 'cus_42',
    'payload[value]': '1',
  })
  await posthorn.app.payments.reportUsage({ ...usage, eventName: 'sms_zone3_send', at })
  assert.equal(stripe.metered.size, 1)
})

test('Stripe gets one request at a time for a customer and a meter, also after a failure', async () => {
  stripe.takingMost = 0
  const report = (customerId: string, zone: 1 | 2) => {
    const usage = { teamId: posthorn.app.newId(), customerId, messageId: posthorn.app.newId() }
    return posthorn.app.payments.reportUsage({ ...usage, eventName: `sms_zone${zone}_send`, at: posthorn.clock.now() })
  }
  const before = stripe.metered.size
  await Promise.all(Array.from({ length: 12 }, (_, n) => report(`cus_${n % 2}`, n % 3 ? 1 : 2)))
  assert.deepEqual([stripe.metered.size - before, stripe.takingMost], [12, 1])
  stripe.fault = { status: 500, body: { error: { type: 'api_error', message: 'Oh no' } } }
  await assert.rejects(report('cus_1', 1))
  stripe.fault = null
  await report('cus_1', 1)
})

test('overage of a period that has just begun by Stripe’s clock is counted then, and none further ahead', async () => {
  const ahead = async (ms: number) => {
    const usage = { teamId: posthorn.app.newId(), customerId: 'cus_42', messageId: posthorn.app.newId() }
    const at = new Date(posthorn.clock.now().getTime() + ms)
    await posthorn.app.payments.reportUsage({ ...usage, eventName: 'sms_zone1_send', at })
    return Number(lastAsked().fields.timestamp) * 1000 - posthorn.clock.now().getTime()
  }
  assert.deepEqual([await ahead(2000), await ahead(86_400_000)], [2000, 240_000])
})

test('overage that waited longer than Stripe takes usage for is counted within that time', async () => {
  const usage = { teamId: posthorn.app.newId(), customerId: 'cus_42', messageId: posthorn.app.newId() }
  await posthorn.app.payments.reportUsage({
    ...usage,
    eventName: 'sms_zone1_send',
    at: new Date('2029-01-01T00:00:00Z'),
  })
  const ageDays = (posthorn.clock.now().getTime() / 1000 - Number(lastAsked().fields.timestamp)) / 86_400
  assert.ok(ageDays < 35, `${ageDays}`)
})

const faults: Record<string, [typeof stripe.fault, RegExp]> = {
  'that answers nothing': ['cut', /cannot be reached/],
  'with a fault of its own': [
    { status: 500, body: { error: { type: 'api_error', message: 'Oh no' } } },
    /Stripe refused: Oh no/,
  ],
  'that wants fewer requests': [
    { status: 429, body: { error: { type: 'invalid_request_error', message: 'Slow' } } },
    /no more requests/,
  ],
  'that refuses': [
    { status: 400, body: { error: { type: 'invalid_request_error', message: 'No such customer' } } },
    /No such customer/,
  ],
  'that refuses the key': [
    { status: 401, body: { error: { message: 'Invalid API Key provided: sk_test_****' } } },
    /STRIPE_SECRET_KEY/,
  ],
}
for (const [what, [fault, message]] of Object.entries(faults)) {
  test(`Stripe ${what}: 502 that says so`, async () => {
    const team = await posthorn.team({ plan: 'free' })
    stripe.fault = fault
    const { status, body } = await team.api.post('/v1/billing/checkout', { plan: 'pro' })
    assert.deepEqual([status, body.name], [502, 'provider_error'])
    assert.match(body.message, message)
    // The library retries only after a keep-alive connection was cut.
    assert.equal(stripe.asked.length, fault === 'cut' ? 2 : 1)
    assert.doesNotMatch(logged.join() + body.message, /sk_test/)
  })
}

test('a price that is missing at Stripe is named', async () => {
  const team = await posthorn.team({ plan: 'free' })
  for (const key of ['posthorn_pro', 'posthorn_sms_zone2']) stripe.lookupKeys.delete(key)
  const { status, body } = await team.api.post('/v1/billing/checkout', { plan: 'pro' })
  assert.equal(status, 502)
  assert.match(body.message, /posthorn_pro, posthorn_sms_zone2/)
})
