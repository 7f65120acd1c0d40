import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestApp, ok } from '../../../../../test/app.ts'
import { pluck } from '../../../../../test/pluck.ts'
import { slowTest } from '../../../../../test/slow.ts'
import { startStripe } from '../../fixtures/stripe-api.ts'
import { checkout, deleted, paid, paidLater, post, updated } from '../../fixtures/stripe-events.ts'

const stripe = await startStripe()
const posthorn = await createTestApp(stripe.environment)
const now = Math.floor(posthorn.clock.now().getTime() / 1000)

beforeEach(() => {
  stripe.fault = null
  stripe.asked.length = 0
})

/** The subscriptions that Stripe was asked to end. */
function ended() {
  return stripe.asked.flatMap(({ method, path }) => (method === 'DELETE' ? path.split('/').at(-1)! : []))
}

test('a replaced subscription is ended and the rest of it credited, so that a team does not pay twice', async () => {
  const team = await posthorn.team({ plan: 'free' })
  await post(posthorn, checkout({ id: 'sub_old', at: now, teamId: team.id, plan: 'pro' }))
  await post(posthorn, checkout({ id: 'sub_new', at: now + 9, teamId: team.id, plan: 'scale' }))
  stripe.fault = { status: 500, body: { error: { type: 'api_error', message: 'Something broke' } } }
  await posthorn.runDueJobs()
  stripe.fault = null
  await posthorn.runDueJobsAfter(5000)
  const cancels = stripe.asked.filter(({ method }) => method === 'DELETE')
  assert.deepEqual(pluck(cancels, 'path'), ['/v1/subscriptions/sub_old', '/v1/subscriptions/sub_old'])
  assert.deepEqual(cancels[1]!.fields, { invoice_now: 'true', prorate: 'true' })
  await post(posthorn, deleted({ id: 'sub_old', at: now + 12 }))
  await posthorn.runDueJobs()
  assert.equal(stripe.asked.length, 2)
  assert.equal((await team.api.get('/v1/billing/subscription')).body.plan, 'scale')
})

slowTest(
  'a replaced subscription is ended however long Stripe was out of reach, and a renewal meanwhile is credited once',
  async () => {
    const team = await posthorn.team({ plan: 'free' })
    await post(posthorn, checkout({ id: 'sub_kept', at: now, teamId: team.id, plan: 'pro' }))
    await post(posthorn, checkout({ id: 'sub_bought', at: now + 9, teamId: team.id, plan: 'scale' }))
    stripe.fault = { status: 500, body: { error: { type: 'api_error', message: 'Something broke' } } }
    for (let hour = 0; hour < 80; hour += 2) await posthorn.runDueJobsAfter(2 * 3_600_000)
    await post(
      posthorn,
      paid({ id: 'sub_kept', at: now + 80_000, period: { start: now + 80_000, end: now + 2_672_000 } }),
    )
    await posthorn.runDueJobs()
    stripe.fault = null
    stripe.asked.length = 0
    await posthorn.runDueJobsAfter(3_600_000)
    await post(posthorn, deleted({ id: 'sub_kept', at: now + 300_000 }))
    await posthorn.runDueJobsAfter(24 * 3_600_000)
    assert.deepEqual(ended(), ['sub_kept'])
    assert.deepEqual(stripe.asked[0]!.fields, { invoice_now: 'true', prorate: 'true' })
  },
)

test('a subscription is not ended for one whose status arrives before its unpaid checkout, until that is paid', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const debit = { id: 'sub_debit', at: now + 9, teamId: team.id, plan: 'scale' }
  await post(posthorn, checkout({ id: 'sub_paying', at: now, teamId: team.id, plan: 'pro' }))
  await post(posthorn, updated(debit))
  await posthorn.runDueJobs()
  await post(posthorn, checkout({ ...debit, payment_status: 'unpaid' }))
  await posthorn.runDueJobsAfter(3_600_000)
  assert.deepEqual(ended(), [])
  assert.equal((await team.api.get('/v1/billing/subscription')).body.plan, 'pro')
  await post(posthorn, paidLater({ ...debit, at: now + 86_400 }))
  await posthorn.runDueJobs()
  assert.deepEqual(ended(), ['sub_paying'])
})

test('a bank transfer that arrives after the team has bought another plan ends its own subscription', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const transfer = { id: 'sub_transfer', at: now, teamId: team.id, plan: 'scale' }
  const day = 86_400
  await post(posthorn, checkout({ ...transfer, payment_status: 'unpaid' }))
  await post(posthorn, updated(transfer))
  await post(posthorn, checkout({ id: 'sub_card', at: now + day, teamId: team.id, plan: 'enterprise' }))
  await post(posthorn, paidLater({ ...transfer, at: now + 3 * day }))
  await post(posthorn, paid({ ...transfer, at: now + 3 * day, period: { start: now, end: now + 30 * day } }))
  await posthorn.runDueJobs()
  const { plan, providerSubscriptionId } = await ok(team.api.get('/v1/billing/subscription'))
  assert.deepEqual([plan, providerSubscriptionId, ended()], ['enterprise', 'sub_card', ['sub_transfer']])
})

test('a subscription that ends in minutes is not renewed if only the status of its paid successor has arrived', async () => {
  const team = await posthorn.team({ plan: 'free' })
  await post(posthorn, checkout({ id: 'sub_former', at: now, teamId: team.id, plan: 'pro' }))
  stripe.paid.add('sub_next')
  await post(posthorn, updated({ id: 'sub_next', at: now + 9, teamId: team.id, plan: 'scale' }))
  await posthorn.runDueJobs()
  assert.deepEqual(ended(), ['sub_former'])
})

test('a subscription stays while Stripe says that its successor is unpaid, and ends with the payment', async () => {
  for (const isTold of [true, false]) {
    stripe.asked.length = 0
    const team = await posthorn.team({ plan: 'free' })
    const [id, next] = [`sub_stays${isTold}`, `sub_owing${isTold}`]
    const month = { start: now + 9, end: now + 2_592_009 }
    await post(posthorn, checkout({ id, at: now, teamId: team.id, plan: 'pro' }))
    await post(posthorn, updated({ id: next, at: now + 9, teamId: team.id, plan: 'scale' }))
    for (let hour = 0; hour < 3; hour++) await posthorn.runDueJobsAfter(3_600_000)
    assert.deepEqual(ended(), [])
    stripe.paid.add(next)
    if (isTold) await post(posthorn, paid({ id: next, at: now + 20_000, period: month }))
    await posthorn.runDueJobsAfter(isTold ? 0 : 3_600_000)
    assert.deepEqual(ended(), [id])
  }
})
