import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../../test/app.ts'
import { subscriptionOf } from '../../fixtures/buyers.ts'
import { buyer, checkoutOf, formType, portalOf, press } from './fixtures/browser.ts'

const posthorn = await createTestApp()
await posthorn.server.listen({ port: 0, host: '127.0.0.1' })

test('the checkout shows the price and the metered items, and its button activates the plan through a signed event', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const path = await checkoutOf(team, 'pro')
  const page = await posthorn.anyone.get(path)
  assert.equal(page.status, 200)
  for (const text of ['Subscribe to Pro', '$29.00', '$0.02', '$0.08', '$0.25', 'zone 3', '$2.00'])
    assert.ok(page.text.includes(text), text)
  assert.equal((await subscriptionOf(team)).plan, 'free')
  const paid = await press(posthorn, page, 'Pay $29.00')
  assert.match(paid.text, /The plan Pro is in force/)
  const { providerSubscriptionId, ...subscription } = await subscriptionOf(team)
  assert.match(providerSubscriptionId, /^sub_[0-9a-f]{32}$/)
  assert.deepEqual(subscription, {
    plan: 'pro',
    status: 'active',
    currentPeriodStart: '2030-06-15T12:00:00.000Z',
    currentPeriodEnd: '2030-07-15T12:00:00.000Z',
    cancelAtPeriodEnd: false,
    smsCreditCentsRemaining: 200,
    monthlySmsCreditCents: 200,
  })
})

test('pressing twice, at once or later, pays once', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const path = await checkoutOf(team, 'scale')
  const page = await posthorn.anyone.get(path)
  await Promise.all([press(posthorn, page, 'Pay'), press(posthorn, page, 'Pay'), press(posthorn, page, 'Pay')])
  await press(posthorn, page, 'Pay')
  const bought = await posthorn.app.db
    .selectFrom('sandbox_subscriptions')
    .select('id')
    .where('team_id', '=', team.id)
    .execute()
  assert.equal(bought.length, 1)
  assert.ok(!(await posthorn.anyone.get(path)).text.includes('<form'))
})

test('only plans can be bought, and not the current one', async () => {
  const { team } = await buyer(posthorn, 'pro')
  const again = await team.api.post('/v1/billing/checkout', { plan: 'pro' })
  assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
  for (const body of [{ plan: 'free' }, { plan: 'gold' }, {}, { plan: 'scale', coupon: 'x' }])
    assert.equal((await team.api.post('/v1/billing/checkout', body)).status, 400)
  const sending = await team.newKey()
  for (const path of ['checkout', 'portal'])
    assert.equal((await sending.api.post(`/v1/billing/${path}`, { plan: 'pro' })).status, 403)
})

test('a checkout and a portal that were opened before their team was deleted are gone', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const owner = await team.member('owner')
  const [checkout, portal] = [await checkoutOf(team, 'pro'), await portalOf(team)]
  assert.equal((await posthorn.anyone.get(checkout)).status, 200)
  assert.equal((await owner.api.delete('/v1/team', { confirm: 'Shop' })).status, 200)
  const refuse = async () => {
    for (const path of [checkout, portal]) assert.equal((await posthorn.anyone.get(path)).status, 404)
    assert.equal((await posthorn.anyone.post(checkout, '', formType)).status, 404)
    assert.equal((await posthorn.anyone.post(portal, 'action=end', formType)).status, 404)
  }
  await refuse()
  await posthorn.runDueJobs()
  const { rows } = await sql`select from teams where id = ${team.id}`.execute(posthorn.app.db)
  assert.equal(rows.length, 0)
  await refuse()
})
