import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { buyers, free, subscriptionOf } from '../payments/fixtures/buyers.ts'
import { checkout, deleted, paid, post, updated } from '../payments/fixtures/stripe-events.ts'
import { setPlan } from '../set-plan.ts'

const posthorn = await createTestApp()
const { buyer, month, next, now, spend } = buyers(posthorn)

test('a team without a purchase is on Free', async () => {
  assert.deepEqual(await subscriptionOf(await posthorn.team({ plan: 'free' })), free)
})

test('a plan that an operator set shows its credit and its month, and no subscription', async () => {
  assert.deepEqual(await subscriptionOf(await posthorn.team({ plan: 'scale' })), {
    ...free,
    plan: 'scale',
    currentPeriodStart: '2030-06-15T12:00:00.000Z',
    currentPeriodEnd: '2030-07-15T12:00:00.000Z',
    smsCreditCentsRemaining: 2000,
    monthlySmsCreditCents: 2000,
  })
})

test('a completed checkout activates the subscription, its plan and its credit; the period begins with it', async () => {
  const { read, id } = await buyer('pro')
  assert.deepEqual(await read(), {
    plan: 'pro',
    status: 'active',
    providerSubscriptionId: id,
    currentPeriodStart: '2030-06-15T12:00:00.000Z',
    currentPeriodEnd: '2030-07-15T12:00:00.000Z',
    cancelAtPeriodEnd: false,
    smsCreditCentsRemaining: 200,
    monthlySmsCreditCents: 200,
  })
})

test('the plan’s limits hold at once, for a key that was used before', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const limits = async () => (await team.api.get('/v1/rate-limits')).body.limits
  assert.equal((await limits()).dailySmsLimit, 0)
  await post(posthorn, checkout({ id: 'sub_limits', at: now, teamId: team.id, plan: 'scale' }))
  assert.deepEqual(await limits(), {
    dailyEmailLimit: 20_000,
    emailsPerSecond: 200,
    apiRequestsPerMinute: 2000,
    batchSize: 100,
    dailySmsLimit: 100_000,
    smsBatchSize: 100,
    dailySmsSpendLimit: 1000,
  })
  const plans = (await team.api.get('/v1/billing/plans')).body.data as { plan: string; current: boolean }[]
  assert.deepEqual(
    pluck(
      plans.filter(({ current }) => current),
      'plan',
    ),
    ['scale'],
  )
  await post(posthorn, deleted({ id: 'sub_limits', at: now + 1 }))
  assert.equal((await team.api.get('/v1/rate-limits')).headers['x-ratelimit-limit'], '60')
  assert.equal((await limits()).emailsPerSecond, 1)
})

test('the team is also read from metadata, and an expanded subscription by its id', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const session = {
    metadata: { teamId: team.id, plan: 'pro' },
    subscription: { id: 'sub_meta' },
    customer: { id: 'cus_x' },
  }
  await post(posthorn, checkout({ id: 'sub_meta', at: now, ...session }))
  assert.equal((await subscriptionOf(team)).providerSubscriptionId, 'sub_meta')
})

test('a change of the plan or of its end applies, found by the subscription’s id alone', async () => {
  const { id, read } = await buyer('pro')
  await post(posthorn, updated({ id, at: now + 1, plan: 'enterprise', period: month, cancel_at_period_end: true }))
  const changed = await read()
  assert.equal(changed.plan, 'enterprise')
  assert.equal(changed.cancelAtPeriodEnd, true)
  assert.equal(changed.currentPeriodEnd, new Date(month.end * 1000).toISOString())
  // The credit of this period stays until the next one begins.
  assert.equal(changed.smsCreditCentsRemaining, 200)
  assert.equal(changed.monthlySmsCreditCents, 8000)
  await post(posthorn, updated({ id, at: now + 2, plan: 'pro', period: month }))
  assert.deepEqual(
    { ...(await read()), currentPeriodEnd: null },
    { ...changed, plan: 'pro', cancelAtPeriodEnd: false, monthlySmsCreditCents: 200, currentPeriodEnd: null },
  )
})

test('the plan is the one of the price that is charged, else the one of the metadata', async () => {
  const { id, read } = await buyer('pro')
  await post(posthorn, updated({ id, at: now + 1, plan: 'scale', metadata: { plan: 'pro' } }))
  assert.equal((await read()).plan, 'scale')
  await post(posthorn, updated({ id, at: now + 2, metadata: { plan: 'enterprise' } }))
  assert.equal((await read()).plan, 'enterprise')
  await post(posthorn, updated({ id, at: now + 3, metadata: { plan: 'gold' } }))
  assert.equal((await read()).plan, 'enterprise')
})

test('the period is read in the form of older versions, and the end in the form of newer ones', async () => {
  const { id, read } = await buyer('pro')
  const older = { current_period_start: month.start, current_period_end: month.end, items: { data: [] } }
  await post(posthorn, updated({ id, at: now + 1, ...older, cancel_at: month.end }))
  const { currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } = await read()
  assert.deepEqual(
    [currentPeriodStart, currentPeriodEnd],
    [month.start, month.end].map((at) => new Date(at * 1000).toISOString()),
  )
  assert.equal(cancelAtPeriodEnd, true)
})

test('a deletion takes the team back to Free without credit, for good', async () => {
  const { team, id, read } = await buyer('scale')
  await post(posthorn, deleted({ id, at: now + 5 }))
  assert.deepEqual(await read(), free)
  await post(posthorn, updated({ id, at: now + 9, plan: 'scale', teamId: team.id }))
  await post(posthorn, paid({ id, at: next.start, period: next }))
  await post(posthorn, checkout({ id, at: now, teamId: team.id, plan: 'scale' }))
  assert.deepEqual(await read(), free)
})

test('late events of an older subscription change nothing', async () => {
  const { team, id, read } = await buyer('pro')
  await post(posthorn, checkout({ id: `${id}_new`, at: now + 10, teamId: team.id, plan: 'enterprise' }))
  await spend(team, 1000)
  const before = await read()
  assert.equal(before.smsCreditCentsRemaining, 7000)
  await post(posthorn, updated({ id, at: now + 20, plan: 'scale', period: next }))
  await post(posthorn, paid({ id, at: next.start, period: next }))
  await post(posthorn, deleted({ id, at: now + 30, teamId: team.id }))
  assert.deepEqual(await read(), before)
})

test('past due keeps the plan; a subscription that was never paid grants none', async () => {
  const { id, read } = await buyer('pro')
  await post(posthorn, updated({ id, at: now + 1, plan: 'pro', status: 'past_due' }))
  assert.deepEqual([(await read()).plan, (await read()).status], ['pro', 'past_due'])
  const other = await posthorn.team({ plan: 'free' })
  await post(posthorn, updated({ id: 'sub_never', at: now, plan: 'pro', status: 'incomplete', teamId: other.id }))
  await post(posthorn, updated({ id: 'sub_never', at: now + 1, plan: 'pro', status: 'incomplete_expired' }))
  assert.deepEqual(await subscriptionOf(other), free)
})

test('a team’s subscription is its own', async () => {
  const { id } = await buyer('pro')
  const stranger = await posthorn.team({ plan: 'free' })
  await post(posthorn, updated({ id, at: now + 1, plan: 'enterprise', teamId: stranger.id }))
  assert.deepEqual(await subscriptionOf(stranger), free)
})

test('the later of two events counts, in either order of arrival', async () => {
  const { id, read } = await buyer('pro')
  await post(posthorn, updated({ id, at: now + 20, plan: 'scale', cancel_at_period_end: true }))
  await post(posthorn, updated({ id, at: now + 10, plan: 'enterprise', status: 'past_due' }))
  const { plan, status, cancelAtPeriodEnd } = await read()
  assert.deepEqual([plan, status, cancelAtPeriodEnd], ['scale', 'active', true])
})

test('events about a subscription wait until one names its team', async () => {
  const team = await posthorn.team({ plan: 'free' })
  await post(posthorn, updated({ id: 'sub_early', at: now + 9, plan: 'scale', period: month }))
  await post(posthorn, paid({ id: 'sub_early', at: now, period: month }))
  assert.deepEqual(await subscriptionOf(team), free)
  await post(posthorn, checkout({ id: 'sub_early', at: now + 2, teamId: team.id, plan: 'pro' }))
  const { plan, smsCreditCentsRemaining, currentPeriodStart } = await subscriptionOf(team)
  assert.deepEqual([plan, smsCreditCentsRemaining], ['scale', 200])
  assert.equal(currentPeriodStart, new Date(now * 1000).toISOString())
})

test('a plan that an operator sets after the end of a subscription stays', async () => {
  const { team, id, read } = await buyer('pro')
  await post(posthorn, deleted({ id, at: now + 5 }))
  await posthorn.app.transaction((tx) => setPlan(tx, team.id, 'scale'))
  await post(posthorn, updated({ id, at: now + 4, plan: 'enterprise' }))
  assert.deepEqual([(await read()).plan, (await read()).smsCreditCentsRemaining], ['scale', 2000])
})
