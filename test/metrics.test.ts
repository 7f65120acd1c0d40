import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeSender } from '../src/sms/fixtures/sender.ts'
import { createWebhookApp, makeWebhook } from '../src/webhooks/fixtures/app.ts'
import { startReceiver } from '../src/webhooks/fixtures/receiver.ts'
import { openShop, webhookSecret } from '../src/whatsapp/fixtures/shop.ts'
import { activateChain, runChain } from '../src/workflows/fixtures/workflow.ts'

const posthorn = await createWebhookApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const team = await posthorn.team()

/** The value of each series, by its name with labels. */
async function scrape(): Promise<{ text: string; valueOf(series: string): number }> {
  const { status, text } = await posthorn.anyone.get('/metrics')
  assert.equal(status, 200)
  const values = new Map(
    text
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split(/ (?=[^ ]+$)/) as [string, string]),
  )
  return { text, valueOf: (series) => Number(values.get(series) ?? 0) }
}

test('metrics count messages, their outcomes, webhook attempts and executions, and name no team', async () => {
  const receiver = await startReceiver()
  await makeWebhook(team.api, receiver.url, ['email.sent'])
  const senderId = await activeSender(team)
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const before = await scrape()
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello' }
  await team.api.post('/v1/emails', email)
  await team.api.post('/v1/emails/batch', { emails: [email, email] })
  await team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })
  await shop.send({ to: '+61400000009', templateId: template.id, variables: [] })
  await posthorn.runDueJobs()
  await runChain(posthorn, team, [{ type: 'delay', config: { duration: '0s' } }])
  posthorn.clock.advance(5000)
  const after = await scrape()
  const grown = (series: string) => after.valueOf(series) - before.valueOf(series)
  // Other tests of this process may count as well.
  for (const [series, count] of [
    ['posthorn_messages_accepted_total{channel="email"}', 3],
    ['posthorn_messages_accepted_total{channel="sms"}', 1],
    ['posthorn_messages_accepted_total{channel="whatsapp"}', 1],
    ['posthorn_message_events_total{channel="email",event="sent"}', 3],
    ['posthorn_message_events_total{channel="sms",event="delivered"}', 1],
    ['posthorn_message_events_total{channel="whatsapp",event="sent"}', 1],
    ['posthorn_webhook_attempts_total{outcome="delivered"}', 3],
    ['posthorn_workflow_executions_started_total{by="request"}', 1],
    ['posthorn_workflow_executions_ended_total{status="completed"}', 1],
  ] as const)
    assert.ok(grown(series) >= count, `${series}: ${grown(series)}`)
  for (const name of [team.id, shop.senderId, team.domain, team.domainId, 'Shop'])
    assert.ok(!after.text.includes(name), name)
})

test('metrics leave out executions of test mode', async () => {
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = { ...team, api: posthorn.as(key.key) }
  const before = await scrape()
  await runChain(posthorn, trial, [{ type: 'delay', config: { duration: '0s' } }])
  posthorn.clock.advance(5000)
  const after = await scrape()
  for (const series of ['started_total{by="request"}', 'ended_total{status="completed"}']) {
    const name = `posthorn_workflow_executions_${series}`
    assert.equal(after.valueOf(name), before.valueOf(name), name)
  }
})

test('metrics count executions that storage kept from starting, except for those of test mode', async () => {
  const full = await posthorn.team({ limits: { storedBytes: 10_000 } })
  const { body: key } = await full.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = { ...full, api: posthorn.as(key.key) }
  const name = 'posthorn_workflow_executions_not_started_total'
  for (const [user, refused] of [
    [trial, 0],
    [full, 1],
  ] as const) {
    const updated = { type: 'contact_event', config: { events: ['updated'] } }
    const { body: workflow } = await activateChain(user, [{ type: 'delay', config: { duration: '0s' } }], updated)
    const { body: contact } = await user.api.post('/v1/contacts', { email: 'ada@example.com' })
    await runChain(posthorn, user, [{ type: 'code', config: { source: 'return "x".repeat(20000)' } }])
    const before = (await scrape()).valueOf(name)
    assert.equal((await user.api.patch(`/v1/contacts/${contact.id}`, { firstName: 'Ada' })).status, 200)
    await posthorn.runDueJobs()
    const { body } = await user.api.get(`/v1/workflows/${workflow.id}/executions`)
    assert.deepEqual(body.data, [])
    assert.equal((await scrape()).valueOf(name) - before, refused)
  }
})

test('metrics show how many jobs are due and how long the oldest has waited', async () => {
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello', scheduledAt }
  for (let count = 0; count < 3; count++) await team.api.post('/v1/emails', email)
  posthorn.clock.advance(30_000)
  assert.equal((await scrape()).valueOf('posthorn_jobs_due{kind="emails.deliver"}'), 0)
  posthorn.clock.advance(90_000)
  const late = await scrape()
  assert.equal(late.valueOf('posthorn_jobs_due{kind="emails.deliver"}'), 3)
  assert.equal(late.valueOf('posthorn_jobs_oldest_due_seconds{kind="emails.deliver"}'), 60)
  await posthorn.runDueJobs()
  assert.equal((await scrape()).valueOf('posthorn_jobs_due{kind="emails.deliver"}'), 3, 'kept for five seconds')
  posthorn.clock.advance(5000)
  assert.equal((await scrape()).valueOf('posthorn_jobs_due{kind="emails.deliver"}'), 0)
})
