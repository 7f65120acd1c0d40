import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { forAllAsync } from '../../../test/for-all.ts'
import { slowTest } from '../../../test/slow.ts'
import { buyers, subscriptionOf } from '../payments/fixtures/buyers.ts'
import {
  checkout,
  deleted,
  paid,
  paidLater,
  post as postOne,
  type StripeEvent,
  updated,
} from '../payments/fixtures/stripe-events.ts'
import { paidPlans } from '../payments/provider.ts'

const posthorn = await createTestApp()
const { spend } = buyers(posthorn)
const start = Math.floor(posthorn.clock.now().getTime() / 1000)
const monthSeconds = 2_592_000

/** One change of a team's subscription at the provider, `after` seconds after the previous one. */
const step = fc.record({
  does: fc.constantFrom(
    'buy',
    'buy later',
    'buy and never pay',
    'change',
    'cancel',
    'resume',
    'renew',
    'fail',
    'end',
    'end of the one before',
    'other',
  ),
  plan: fc.constantFrom(...paidPlans),
  after: fc.constantFrom(0, 1, 100),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

type Live = { id: string; plan: string; cancel: boolean; period: { start: number; end: number } }

/** The events that a provider would post for these steps, in chronological order. */
function historyOf(steps: Step[], teamId: string, run: string, namesTeam: boolean): StripeEvent[] {
  const events: StripeEvent[] = []
  let at = start
  let bought = 0
  let live = null as Live | null
  let before = null as Live | null
  for (const { does, plan, after } of steps) {
    at += after
    const about = (of: Live) => ({ ...of, at, ...(namesTeam && { teamId }), cancel_at_period_end: of.cancel })
    if (does === 'buy later' || does === 'buy and never pay') {
      before = live
      live = { id: `sub_${run}_${100 + bought++}`, plan, cancel: false, period: { start: at, end: at + monthSeconds } }
      events.push(checkout({ ...about(live), teamId, payment_status: 'unpaid' }), updated(about(live)))
      if (does === 'buy later') events.push(paidLater({ ...about(live), at: ++at, teamId }))
    } else if (does === 'buy') {
      before = live
      live = { id: `sub_${run}_${100 + bought++}`, plan, cancel: false, period: { start: at, end: at + monthSeconds } }
      events.push(paid({ ...about(live), billing_reason: 'subscription_create' }), checkout({ ...about(live), teamId }))
    } else if (does === 'other') {
      // Without a plan: the same account also sells other things.
      const id = `sub_${run}_${500 + bought++}`
      events.push(updated({ id, at, teamId }))
    } else if (does === 'end of the one before') {
      if (before) events.push(deleted(about(before)))
      before = null
    } else if (live) {
      if (does === 'end') events.push(deleted(about(live)))
      if (does === 'fail') events.push(updated({ ...about(live), status: 'past_due' }))
      if (does === 'change') live = { ...live, plan }
      if (does === 'cancel' || does === 'resume') live = { ...live, cancel: does === 'cancel' }
      if (does === 'renew') {
        at = Math.max(at, live.period.end)
        live = { ...live, period: { start: at, end: at + monthSeconds } }
        events.push(paid({ ...live, at }))
      }
      if (does === 'end') live = null
      else if (does !== 'fail') events.push(updated(about(live)))
    }
  }
  return events
}

function post(event: StripeEvent) {
  posthorn.clock.advance(1)
  return postOne(posthorn, event)
}

async function outcomeOf(api: { get(path: string): Promise<{ body: unknown }> }, run: string) {
  return JSON.parse(JSON.stringify((await api.get('/v1/billing/subscription')).body).replaceAll(`sub_${run}_`, 'sub_'))
}

/** Returns each event twice, in the order of the numbers that `order` gives. */
function shuffledTwice(events: StripeEvent[], order: Iterator<number>): StripeEvent[] {
  const placed = [...events, ...events].map((event) => ({ event, by: order.next().value as number }))
  return placed.sort((a, b) => a.by - b.by).map(({ event }) => event)
}

/** Posts the events and spends all credit after each. Returns the cents that were spent. */
async function spendAfterEach(team: TestTeam, events: StripeEvent[]): Promise<number> {
  let spent = 0
  for (const event of events) {
    assert.equal((await post(event)).status, 200)
    const { smsCreditCentsRemaining } = await subscriptionOf(team)
    await spend(team, smsCreditCentsRemaining)
    spent += smsCreditCentsRemaining
  }
  return spent
}

let runs = 0

slowTest('events in any order and with any repeats end as if each had come once and in time', async () => {
  const history = fc
    .array(step, { minLength: 1, maxLength: 10 })
    .map((steps): Step[] => [{ does: 'buy', plan: 'pro', after: 0 }, ...steps])
  await forAllAsync(40, history, fc.boolean(), fc.infiniteStream(fc.nat()), async (steps, namesTeam, order) => {
    const [inTime, shuffled] = [await posthorn.team({ plan: 'free' }), await posthorn.team({ plan: 'free' })]
    const [one, other] = [`${++runs}a`, `${runs}b`]
    for (const event of historyOf(steps, inTime.id, one, namesTeam)) assert.equal((await post(event)).status, 200)
    const events = historyOf(steps, shuffled.id, other, namesTeam)
    for (const event of shuffledTwice(events, order)) assert.equal((await post(event)).status, 200)
    assert.deepEqual(await outcomeOf(shuffled.api, other), await outcomeOf(inTime.api, one))
  })
})

slowTest('the credit of a period is granted once, in any order of events and with any repeats', async () => {
  const history = fc
    .array(step, { minLength: 1, maxLength: 10 })
    .map((steps): Step[] => [
      { does: 'buy', plan: 'pro', after: 0 },
      ...steps.map((one) => ({ ...one, plan: 'pro' as const })),
    ])
  await forAllAsync(40, history, fc.boolean(), fc.infiniteStream(fc.nat()), async (steps, namesTeam, order) => {
    const [inTime, shuffled] = [await posthorn.team({ plan: 'free' }), await posthorn.team({ plan: 'free' })]
    const granted = await spendAfterEach(inTime, historyOf(steps, inTime.id, `${++runs}a`, namesTeam))
    const events = historyOf(steps, shuffled.id, `${runs}b`, namesTeam)
    assert.ok((await spendAfterEach(shuffled, shuffledTwice(events, order))) <= granted)
  })
})

test('a checkout that is not paid yet grants nothing until the payment has come', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const planOf = async () => (await team.api.get('/v1/billing/subscription')).body
  const about = { id: 'sub_unpaid', at: start, teamId: team.id, plan: 'scale' }
  const free = await planOf()
  await post(updated(about))
  await post(checkout({ ...about, payment_status: 'unpaid' }))
  assert.deepEqual(await planOf(), free)
  const failed = { ...checkout({ ...about, payment_status: 'unpaid' }), type: 'checkout.session.async_payment_failed' }
  assert.equal((await post(failed)).status, 200)
  assert.deepEqual(await planOf(), free)
  await post(paidLater({ ...about, at: start + 86_400 }))
  const { plan, status, smsCreditCentsRemaining } = await planOf()
  assert.deepEqual([plan, status, smsCreditCentsRemaining > 0], ['scale', 'active', true])
})

test('a checkout that needs no payment is in force at once', async () => {
  const team = await posthorn.team({ plan: 'free' })
  await post(
    checkout({ id: 'sub_gift', at: start, teamId: team.id, plan: 'pro', payment_status: 'no_payment_required' }),
  )
  assert.equal((await team.api.get('/v1/billing/subscription')).body.plan, 'pro')
})
