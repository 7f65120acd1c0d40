import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../test/app.ts'

const posthorn = await sharedTestApp()

test('the plans have their documented prices and limits, and the team’s is marked', async () => {
  const team = await posthorn.team({ plan: 'scale' })
  const body = await ok(team.api.get('/v1/billing/plans'))
  const plan = (
    name: string,
    plan: string,
    monthlyPrice: number,
    limits: [emails: number, sms: number, cents: number],
  ) => ({
    ...{ name, plan, monthlyPrice, dailyEmailLimit: limits[0], dailySmsLimit: limits[1] },
    ...{ monthlySmsCreditCents: limits[2], current: plan === 'scale' },
  })
  assert.deepEqual(body, {
    data: [
      plan('Free', 'free', 0, [100, 0, 0]),
      plan('Pro', 'pro', 29, [5000, 10_000, 200]),
      plan('Scale', 'scale', 99, [20_000, 100_000, 2000]),
      plan('Enterprise', 'enterprise', 499, [100_000, 500_000, 8000]),
    ],
    cursor: null,
    hasMore: false,
  })
})

test('a plan is shown with its own limits, without the changes of an operator', async () => {
  const team = await posthorn.team({ plan: 'pro', limits: { dailySmsLimit: 7 } })
  const { data } = (await team.api.get('/v1/billing/plans')).body
  assert.equal(data[1].dailySmsLimit, 10_000)
  assert.equal(data[1].current, true)
})
