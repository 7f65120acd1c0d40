import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { buyers, subscriptionOf } from '../payments/fixtures/buyers.ts'
import { checkout, deleted, eventOf, paid, post, updated } from '../payments/fixtures/stripe-events.ts'
import { setPlan } from '../set-plan.ts'

const posthorn = await createTestApp()
const { buyer, month, next, now, spend } = buyers(posthorn)

test('each period start refills the credit once, and nothing rolls over', async () => {
  const { team, id, read } = await buyer('pro')
  await spend(team, 150)
  await post(posthorn, paid({ id, at: now + 1, period: month, billing_reason: 'subscription_create' }))
  assert.equal((await read()).smsCreditCentsRemaining, 50)
  await post(posthorn, paid({ id, at: next.start + 5, period: next }))
  assert.equal((await read()).smsCreditCentsRemaining, 200)
  assert.equal((await read()).currentPeriodStart, new Date(next.start * 1000).toISOString())
  await spend(team, 20)
  await post(posthorn, paid({ id, at: next.start + 9, period: next }))
  assert.equal((await read()).smsCreditCentsRemaining, 180)
})

test('a period that several events report at the same time refills once, and an earlier one not at all', async () => {
  const { team, id, read } = await buyer('pro')
  await spend(team, 150)
  const after = { start: next.end, end: next.end + 2_592_000 }
  const told = [1, 2, 3].map((n) => post(posthorn, paid({ id, at: after.start + n, period: after })))
  for (const { status } of await Promise.all(told)) assert.equal(status, 200)
  assert.equal((await read()).smsCreditCentsRemaining, 200)
  await spend(team, 20)
  await post(posthorn, paid({ id, at: next.start, period: next }))
  assert.equal((await read()).smsCreditCentsRemaining, 180)
  const refills = posthorn.app.db.selectFrom('sms_ledger').select('cause').where('team_id', '=', team.id)
  assert.equal((await refills.where('kind', '=', 'refill').execute()).length, 2)
})

test('an invoice for a change within the period, or for something else, refills nothing', async () => {
  const { team, id, read } = await buyer('pro')
  await spend(team, 150)
  const later = { start: now + 1000, end: month.end }
  const proration = { lines: { data: [{ period: later, proration: true }] }, billing_reason: undefined }
  await post(posthorn, paid({ id, at: now + 1000, period: later, billing_reason: 'subscription_update' }))
  await post(posthorn, paid({ id, at: now + 1001, period: later, ...proration }))
  await post(
    posthorn,
    eventOf('invoice.payment_succeeded', now + 2000, { id: 'in_other', lines: { data: [{ period: next }] } }),
  )
  assert.equal((await read()).smsCreditCentsRemaining, 50)
})

test('a team may buy again after the end, even if the old period ended later', async () => {
  const { team, id, read } = await buyer('scale')
  await post(posthorn, paid({ id, at: now + 1, period: next }))
  await post(posthorn, deleted({ id, at: now + 2 }))
  await post(posthorn, checkout({ id: `${id}_again`, at: now + 3, teamId: team.id, plan: 'pro' }))
  const { plan, smsCreditCentsRemaining, providerSubscriptionId } = await read()
  assert.deepEqual([plan, smsCreditCentsRemaining, providerSubscriptionId], ['pro', 200, `${id}_again`])
})

test('the invoice and the checkout of a first period refill once, in either order', async () => {
  for (const isInvoiceFirst of [true, false]) {
    const team = await posthorn.team({ plan: 'free' })
    const about = { id: `sub_first_${isInvoiceFirst}`, teamId: team.id, plan: 'pro' }
    const invoice = paid({ ...about, at: now, period: month, billing_reason: 'subscription_create' })
    const session = checkout({ ...about, at: now + 2 })
    const [one, other] = isInvoiceFirst ? [invoice, session] : [session, invoice]
    await post(posthorn, one)
    await spend(team, 60)
    await post(posthorn, other)
    assert.equal((await subscriptionOf(team)).smsCreditCentsRemaining, 140)
  }
})

test('a subscription that replaces another begins with its own credit, even if the old period ended later', async () => {
  const { team, id, read } = await buyer('scale')
  await post(posthorn, paid({ id, at: now + 1, period: next }))
  await post(posthorn, checkout({ id: `${id}_new`, at: now + 3, teamId: team.id, plan: 'pro' }))
  const { plan, smsCreditCentsRemaining } = await read()
  assert.deepEqual([plan, smsCreditCentsRemaining], ['pro', 200])
})

test('a checkout that is not paid yet refills nothing, also if the status of its subscription arrives first', async () => {
  const { team, id, read } = await buyer('pro')
  await spend(team, 150)
  for (const nth of [1, 2]) {
    const about = { id: `${id}_transfer_${nth}`, at: now + nth, teamId: team.id, plan: 'scale' }
    await post(posthorn, updated(about))
    await post(posthorn, checkout({ ...about, payment_status: 'unpaid' }))
    const { plan, smsCreditCentsRemaining, providerSubscriptionId } = await read()
    assert.deepEqual([plan, smsCreditCentsRemaining, providerSubscriptionId], ['pro', 50, id])
  }
  await post(posthorn, paid({ id, at: next.start, period: next }))
  assert.equal((await read()).smsCreditCentsRemaining, 200)
})

test('credit that an unpaid checkout interrupts comes back as it was, also while its subscription is suspended', async () => {
  const { team, id, read } = await buyer('pro')
  await spend(team, 150)
  const transfer = { id: `${id}_transfer`, at: now + 1, teamId: team.id, plan: 'scale' }
  await post(posthorn, updated(transfer))
  await post(posthorn, updated({ id, at: now + 2, plan: 'pro', period: month, status: 'unpaid' }))
  await post(posthorn, checkout({ ...transfer, payment_status: 'unpaid' }))
  assert.deepEqual([(await read()).plan, (await read()).smsCreditCentsRemaining], ['free', 0])
  await post(posthorn, updated({ id, at: now + 3, plan: 'pro', period: month }))
  assert.deepEqual([(await read()).plan, (await read()).smsCreditCentsRemaining], ['pro', 50])
})

test('an unpaid checkout of before the update refills nothing after it', async () => {
  const { team, id, read } = await buyer('pro')
  await post(posthorn, paid({ id, at: now - 2, period: { start: now - 2, end: month.end } }))
  await spend(team, 150)
  const transfer = { id: `${id}_transfer`, at: now + 1, teamId: team.id, plan: 'scale' }
  await post(posthorn, updated(transfer))
  const migration = new URL('../../../migrations/0100_refilled_subscription.sql', import.meta.url)
  const [, backfill] = readFileSync(migration, 'utf8').split(';\n')
  await sql`update payment_accounts set refilled_subscription = null`.execute(posthorn.app.db)
  await sql.raw(backfill!).execute(posthorn.app.db)
  await post(posthorn, checkout({ ...transfer, payment_status: 'unpaid' }))
  assert.equal((await read()).smsCreditCentsRemaining, 50)
})

test('a plan that is reported late, and was in force when the period began, decides the credit', async () => {
  const { id, read } = await buyer('pro')
  await post(posthorn, paid({ id, at: next.start + 5, period: next }))
  assert.equal((await read()).smsCreditCentsRemaining, 200)
  await post(posthorn, updated({ id, at: next.start, plan: 'scale', period: next }))
  assert.equal((await read()).smsCreditCentsRemaining, 2000)
})

test('a change of the subscription ends the plan that an operator set, in any order of its events', async () => {
  const { team, id, read } = await buyer('pro')
  await posthorn.app.transaction((tx) => setPlan(tx, team.id, 'enterprise'))
  await post(posthorn, paid({ id, at: next.start, period: next }))
  await post(posthorn, updated({ id, at: next.start, plan: 'scale', period: next }))
  const { plan, smsCreditCentsRemaining } = await read()
  assert.deepEqual([plan, smsCreditCentsRemaining], ['scale', 2000])
})

test('a plan that an operator set over a subscription’s keeps its credit with each period', async () => {
  const { team, id, read } = await buyer('pro')
  await posthorn.app.transaction((tx) => setPlan(tx, team.id, 'enterprise'))
  await spend(team, 5000)
  await post(posthorn, paid({ id, at: next.start, period: next }))
  const { plan, smsCreditCentsRemaining, providerSubscriptionId } = await read()
  assert.deepEqual([plan, smsCreditCentsRemaining, providerSubscriptionId], ['enterprise', 8000, id])
})
