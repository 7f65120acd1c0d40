import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createTestApp, ok, type TestApp } from '../../../test/app.ts'
import { acceptMessages, answerMessages } from '../fixtures/messages.ts'
import { subscriptionOf } from './fixtures/buyers.ts'
import { startStripe } from './fixtures/stripe-api.ts'
import { checkout, deleted, post } from './fixtures/stripe-events.ts'
import { buyer, press } from './providers/sandbox/fixtures/browser.ts'

const stripe = await startStripe()

/** A sandbox with its buyers, and the same database under Stripe. */
let database: pg.ClientConfig = {}
const sandbox = await createTestApp(
  {},
  {
    through: async (config) => {
      database = config
      return config
    },
  },
)
await sandbox.server.listen({ port: 0, host: '127.0.0.1' })
const underStripe = await createTestApp(stripe.environment, { through: async () => database })

function at(posthorn: TestApp): number {
  return Math.floor(posthorn.clock.now().getTime() / 1000)
}

/** A team that bought its plan from the sandbox, in the app that runs with Stripe. */
async function movedTeam() {
  const { team } = await buyer(sandbox, 'pro')
  return { team, moved: { ...team, api: underStripe.as(team.key) } }
}

test('a plan from the sandbox stays after the switch to Stripe as if an operator had set it, and can be bought there', async () => {
  const { team, moved } = await movedTeam()
  assert.deepEqual(await subscriptionOf(moved), {
    ...(await subscriptionOf(team)),
    ...{ providerSubscriptionId: null, currentPeriodStart: null, currentPeriodEnd: null },
  })
  assert.equal((await moved.api.post('/v1/billing/portal', {})).status, 409)
  for (const plan of ['pro', 'scale']) {
    await ok(moved.api.post('/v1/billing/checkout', { plan }))
    assert.equal(stripe.asked.at(-1)!.fields.customer, undefined)
  }
  stripe.customers.add('cus_new')
  const id = `sub_${team.id}`
  // Began before the sandbox's period, which does not matter to Stripe's subscription.
  await post(underStripe, checkout({ id, at: at(sandbox) - 60, teamId: team.id, plan: 'pro', customer: 'cus_new' }))
  const { providerSubscriptionId, smsCreditCentsRemaining } = await subscriptionOf(moved)
  assert.deepEqual([providerSubscriptionId, smsCreditCentsRemaining], [id, 200])
  assert.equal((await moved.api.post('/v1/billing/checkout', { plan: 'pro' })).status, 409)
  assert.equal((await moved.api.post('/v1/billing/portal', {})).status, 200)
  stripe.asked.length = 0
  await underStripe.runDueJobs()
  assert.deepEqual(stripe.asked, [], 'nothing of the sandbox is ended at Stripe')
  await post(underStripe, deleted({ id, at: at(sandbox) + 60 }))
  assert.equal((await subscriptionOf(moved)).plan, 'free')
})

test('overage from before the switch waits until the team is a customer at Stripe', async () => {
  const { team, moved } = await movedTeam()
  const sent = await acceptMessages(sandbox.app, team.id, new Array(9).fill(3))
  await answerMessages(sandbox.app, team.id, sent, true)
  await underStripe.runDueJobs()
  const metered = () => stripe.asked.filter(({ path }) => path.endsWith('/meter_events')).map(({ fields }) => fields)
  assert.deepEqual(metered(), [])
  stripe.customers.add('cus_late')
  await post(
    underStripe,
    checkout({ id: 'sub_late', at: at(underStripe), teamId: team.id, plan: 'scale', customer: 'cus_late' }),
  )
  await underStripe.runDueJobs()
  assert.deepEqual(
    metered().map((fields) => [fields.identifier, fields['payload[stripe_customer_id]']]),
    [[sent[8]!.id, 'cus_late']],
  )
  assert.equal((await subscriptionOf(moved)).plan, 'scale')
})

test('an event of the sandbox that is still waiting is kept under Stripe, and not posted', async () => {
  // No server listens there, and the sandbox's own process does not listen yet.
  const publicUrl = 'http://127.0.0.1:9'
  const silent = await createTestApp({ PUBLIC_URL: publicUrl }, { through: async () => database })
  const team = await silent.team({ plan: 'free' })
  const { body } = await team.api.post('/v1/billing/checkout', { plan: 'pro' })
  await press(silent, await silent.anyone.get(body.url.slice(publicUrl.length)), 'Pay')
  await underStripe.server.listen({ port: 0, host: '127.0.0.1' })
  await underStripe.runDueJobsAfter(5000)
  assert.equal((await subscriptionOf({ ...team, api: underStripe.as(team.key) })).plan, 'free')
  await silent.server.listen({ port: 0, host: '127.0.0.1' })
  await silent.runDueJobsAfter(3_605_000)
  assert.equal((await subscriptionOf(team)).plan, 'pro')
})
