import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { acceptMessages, answerMessages } from '../../fixtures/messages.ts'
import { checkout, post } from '../fixtures/stripe-events.ts'

const posthorn = await createTestApp({ PAYMENTS_PROVIDER: 'none' })

test('with billing switched off checkout and portal are 409, and a signed event changes no plan', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const answers = [
    await team.api.post('/v1/billing/checkout', { plan: 'enterprise' }),
    await team.api.post('/v1/billing/portal', {}),
    await post(posthorn, checkout({ id: 'sub_1', at: 1, teamId: team.id, plan: 'enterprise', customer: 'cus_1' })),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.name], [409, 'conflict'])
  assert.match(answers[0]!.body.message, /team set-plan/)
  const { body } = await team.api.get('/v1/billing/subscription')
  assert.deepEqual([body.plan, body.status, body.providerSubscriptionId], ['free', 'active', null])
})

test('the pages of the sandbox are 404', async () => {
  assert.equal((await posthorn.anyone.get('/billing/sandbox/checkout?token=x')).status, 404)
})

test('overage is kept and not reported while billing is switched off', async () => {
  const team = await posthorn.team({ plan: 'pro' })
  const ids = await acceptMessages(posthorn.app, team.id, Array(80).fill(3))
  await answerMessages(posthorn.app, team.id, ids, true)
  assert.ok((await posthorn.runDueJobs()) > 0)
  await posthorn.runDueJobsAfter(10 * 60_000)
  const reports = await posthorn.app.db.selectFrom('sms_usage_reports').select('reported_at').execute()
  assert.ok(reports.length > 0 && reports.every(({ reported_at }) => reported_at === null))
})
