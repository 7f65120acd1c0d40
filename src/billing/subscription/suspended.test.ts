import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { buyers, subscriptionOf } from '../payments/fixtures/buyers.ts'
import { checkout, deleted, paid, post, updated } from '../payments/fixtures/stripe-events.ts'
import { setPlan } from '../set-plan.ts'

const posthorn = await createTestApp()
const { buyer, month, next, now, spend } = buyers(posthorn)

type Buyer = Awaited<ReturnType<typeof buyer>>

async function shown({ read }: Pick<Buyer, 'read'>) {
  const { plan, status, smsCreditCentsRemaining } = await read()
  return [plan, status, smsCreditCentsRemaining]
}

for (const status of ['unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled', 'something_new']) {
  test(`a subscription whose first event says ${status} grants nothing`, async () => {
    const team = await posthorn.team({ plan: 'free' })
    await post(
      posthorn,
      updated({ id: `sub_first_${status}`, at: now, teamId: team.id, plan: 'pro', period: month, status }),
    )
    const { plan, smsCreditCentsRemaining } = await subscriptionOf(team)
    assert.deepEqual([plan, smsCreditCentsRemaining], ['free', 0])
  })
}

for (const status of ['unpaid', 'paused', 'incomplete']) {
  test(`a team whose subscription turns ${status} is on Free without credit until it is paid or resumed`, async () => {
    const team = await buyer('pro')
    await post(posthorn, updated({ id: team.id, at: now + 1, plan: 'pro', period: month, status }))
    assert.deepEqual(await shown(team), ['free', status, 0])
    assert.equal((await team.read()).providerSubscriptionId, team.id)
    for (const back of ['active', 'trialing', 'past_due']) {
      await post(posthorn, updated({ id: team.id, at: now + 2, plan: 'pro', period: month, status: back }))
      assert.deepEqual(await shown(team), ['pro', back, 200])
    }
  })
}

test('a payment that is late does not take the plan away', async () => {
  const team = await buyer('pro')
  await post(posthorn, updated({ id: team.id, at: now + 1, plan: 'pro', period: month, status: 'past_due' }))
  assert.deepEqual(await shown(team), ['pro', 'past_due', 200])
})

test('credit that was spent does not come back with the subscription, and a new period refills it', async () => {
  const team = await buyer('pro')
  await spend(team.team, 50)
  for (const [second, status] of ['unpaid', 'active', 'unpaid', 'unpaid', 'active'].entries())
    await post(posthorn, updated({ id: team.id, at: now + 1 + second, plan: 'pro', period: month, status }))
  assert.deepEqual(await shown(team), ['pro', 'active', 150])
  await post(posthorn, updated({ id: team.id, at: now + 9, plan: 'pro', period: next, status: 'unpaid' }))
  assert.deepEqual(await shown(team), ['free', 'unpaid', 0])
  await post(posthorn, updated({ id: team.id, at: now + 10, plan: 'pro', period: next }))
  await post(posthorn, paid({ id: team.id, at: now + 10, plan: 'pro', period: next }))
  assert.deepEqual(await shown(team), ['pro', 'active', 200])
})

test('events in any order end the same', async () => {
  const events = (id: string, teamId: string) => [
    checkout({ id, at: now, teamId, plan: 'pro' }),
    updated({ id, at: now + 1, teamId, plan: 'pro', period: month }),
    updated({ id, at: now + 2, teamId, plan: 'pro', period: month, status: 'unpaid' }),
  ]
  for (const [index, order] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ].entries()) {
    const team = await posthorn.team({ plan: 'free' })
    const given = events(`sub_order_${index}`, team.id)
    for (const at of order) await post(posthorn, given[at]!)
    const { plan, status, smsCreditCentsRemaining } = await subscriptionOf(team)
    assert.deepEqual([plan, status, smsCreditCentsRemaining], ['free', 'unpaid', 0], String(order))
  }
})

test('a subscription that is deleted while it is unpaid ends, and leaves a plan that an operator set meanwhile', async () => {
  const team = await buyer('pro')
  await post(posthorn, updated({ id: team.id, at: now + 1, plan: 'pro', period: month, status: 'unpaid' }))
  await posthorn.app.transaction((tx) => setPlan(tx, team.team.id, 'scale'))
  await post(posthorn, deleted({ id: team.id, at: now + 2 }))
  const { plan, providerSubscriptionId, smsCreditCentsRemaining } = await team.read()
  assert.deepEqual([plan, providerSubscriptionId, smsCreditCentsRemaining], ['scale', null, 2000])
})
