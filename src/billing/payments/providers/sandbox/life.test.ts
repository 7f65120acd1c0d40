import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../../test/app.ts'
import { slowTest } from '../../../../../test/slow.ts'
import { subscriptionOf } from '../../fixtures/buyers.ts'
import { buyer, checkoutOf, formType, portalOf, press } from './fixtures/browser.ts'

const posthorn = await createTestApp()
await posthorn.server.listen({ port: 0, host: '127.0.0.1' })

test('a plan that is bought replaces the previous one, which ends', async () => {
  const { team, read } = await buyer(posthorn, 'pro')
  const { providerSubscriptionId: before } = await read()
  await press(posthorn, await posthorn.anyone.get(await checkoutOf(team, 'enterprise')), 'Pay')
  const { plan, smsCreditCentsRemaining, providerSubscriptionId } = await read()
  assert.deepEqual([plan, smsCreditCentsRemaining], ['enterprise', 8000])
  assert.notEqual(providerSubscriptionId, before)
  await posthorn.runDueJobs()
  const rows = await posthorn.app.db
    .selectFrom('sandbox_subscriptions')
    .select(['plan', 'status'])
    .where('team_id', '=', team.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(rows, [
    { plan: 'pro', status: 'canceled' },
    { plan: 'enterprise', status: 'active' },
  ])
  assert.deepEqual(await read().then(({ plan, smsCreditCentsRemaining }) => [plan, smsCreditCentsRemaining]), [
    'enterprise',
    8000,
  ])
})

test('months are renewed or end as wished; several that passed while nothing ran become one', async () => {
  const fresh = await createTestApp()
  await fresh.server.listen({ port: 0, host: '127.0.0.1' })
  fresh.clock.set('2031-01-31T10:00:00Z')
  const team = await fresh.team({ plan: 'free' })
  await press(fresh, await fresh.anyone.get(await checkoutOf(team, 'scale')), 'Pay')
  const period = async () => {
    await fresh.runDueJobs()
    const { currentPeriodStart, currentPeriodEnd } = await subscriptionOf(team)
    return [currentPeriodStart, currentPeriodEnd].map((at) => at?.slice(0, 10))
  }
  assert.deepEqual(await period(), ['2031-01-31', '2031-02-28'])
  await fresh.app.db.updateTable('sms_credit').set({ balance_units: '0' }).execute()
  fresh.clock.set('2031-02-28T09:59:00Z')
  assert.deepEqual(await period(), ['2031-01-31', '2031-02-28'])
  fresh.clock.set('2031-02-28T10:01:00Z')
  assert.deepEqual(await period(), ['2031-02-28', '2031-03-31'])
  assert.equal((await subscriptionOf(team)).smsCreditCentsRemaining, 2000)
  fresh.clock.set('2031-07-05T00:00:00Z')
  assert.deepEqual(await period(), ['2031-06-30', '2031-07-31'])
  const { count } = await fresh.app.db
    .selectFrom('sms_ledger')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('kind', '=', 'refill')
    .executeTakeFirstOrThrow()
  assert.equal(count, '3')
  await press(fresh, await fresh.anyone.get(await portalOf(team)), 'Cancel at the end')
  fresh.clock.set('2031-08-01T00:00:00Z')
  assert.deepEqual(await period(), [undefined, undefined])
  assert.equal((await subscriptionOf(team)).plan, 'free')
})

test('a replaced subscription is not renewed, also if the event of the purchase has not arrived', async () => {
  // This app does not listen yet, so no event arrives.
  const silent = await createTestApp({ PUBLIC_URL: 'http://127.0.0.1:9' })
  const team = await silent.team({ plan: 'free' })
  const buy = async (plan: string) => {
    const { body } = await team.api.post('/v1/billing/checkout', { plan })
    await press(silent, await silent.anyone.get(body.url.slice('http://127.0.0.1:9'.length)), 'Pay')
  }
  const rows = () =>
    silent.app.db
      .selectFrom('sandbox_subscriptions')
      .select(['plan', 'status', sql<string>`period_end::date::text`.as('end')])
      .where('team_id', '=', team.id)
      .orderBy('created_at')
      .execute()
  await buy('pro')
  silent.clock.set('2030-07-15T11:30:00Z')
  await buy('enterprise')
  silent.clock.set('2030-07-15T12:30:00Z')
  await silent.runDueJobs()
  assert.deepEqual(await rows(), [
    { plan: 'pro', status: 'active', end: '2030-07-15' },
    { plan: 'enterprise', status: 'active', end: '2030-08-15' },
  ])
  await silent.server.listen({ port: 0, host: '127.0.0.1' })
  await silent.runDueJobsAfter(3_600_000)
  await silent.runDueJobs()
  assert.deepEqual(
    (await rows()).map(({ status }) => status),
    ['canceled', 'active'],
  )
  assert.equal((await subscriptionOf(team)).plan, 'enterprise')
})

test('an event that is not accepted is posted again until it is, and the page says so', async () => {
  // This app does not listen, and its public address does not answer either.
  const silent = await createTestApp({ PUBLIC_URL: 'http://127.0.0.1:9' })
  const team = await silent.team({ plan: 'free' })
  const { body } = await team.api.post('/v1/billing/checkout', { plan: 'pro' })
  const page = await press(silent, await silent.anyone.get(body.url.slice('http://127.0.0.1:9'.length)), 'Pay')
  assert.match(page.text, /has not arrived yet/)
  assert.equal((await subscriptionOf(team)).plan, 'free')
  await silent.server.listen({ port: 0, host: '127.0.0.1' })
  await silent.runDueJobsAfter(5000)
  assert.equal((await subscriptionOf(team)).plan, 'pro')
})

test('the pages of the sandbox are 404 if Stripe takes the payments', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const path = await checkoutOf(team, 'pro')
  const stripe = await createTestApp({ PAYMENTS_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x' })
  stripe.clock.set(posthorn.clock.now())
  assert.equal((await stripe.anyone.get(path)).status, 404)
  assert.equal((await stripe.anyone.post(path, '', formType)).status, 404)
})

slowTest('a month that cannot be renewed does not delay the months of other teams', async () => {
  const fresh = await createTestApp()
  await fresh.server.listen({ port: 0, host: '127.0.0.1' })
  const [bad, good] = [await buyer(fresh, 'pro'), await buyer(fresh, 'pro')]
  const refusal = `alter table sandbox_subscriptions add check (team_id <> '${bad.team.id}') not valid`
  await sql.raw(refusal).execute(fresh.app.db)
  fresh.clock.set('2030-07-15T12:00:00Z')
  await fresh.runDueJobs()
  assert.deepEqual(
    [(await bad.read()).currentPeriodStart, (await good.read()).currentPeriodStart],
    ['2030-06-15T12:00:00.000Z', '2030-07-15T12:00:00.000Z'],
  )
})
