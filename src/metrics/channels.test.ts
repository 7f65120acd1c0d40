import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { manualClock } from '../../test/clock.ts'
import { forAll, forAllAsync } from '../../test/for-all.ts'
import { propertyTest } from '../../test/slow.ts'
import { activeSender } from '../sms/fixtures/sender.ts'
import { recordSmsFacts } from '../sms/messages/facts/record.ts'
import type { SmsEventType } from '../sms/provider.ts'
import { captureProvider } from '../sms/providers/capture.ts'
import { createWebhookApp, makeWebhook } from '../webhooks/fixtures/app.ts'
import { startReceiver } from '../webhooks/fixtures/receiver.ts'
import { openShop, webhookSecret } from '../whatsapp/fixtures/shop.ts'
import { recordWhatsappFacts } from '../whatsapp/messages/facts/record.ts'
import { deliveryStatuses } from '../whatsapp/messages/statuses.ts'
import { activateChain, runWorkflow } from '../workflows/fixtures/workflow.ts'
import { foldMetrics } from './fixtures/fold.ts'
import { p95Of } from './percentile.ts'

const posthorn = await createWebhookApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const { app } = posthorn
/** Its provider loses every answer. */
const unsure = await createTestApp(
  {},
  {
    smsProvider: {
      ...captureProvider({ clock: manualClock(), store: async () => undefined }),
      send: async () => ({ kind: 'unknown', message: 'The answer was lost.' }),
    },
  },
)

/** The figures, which must be the same before and after folding. */
async function totalOf({ api }: TestTeam, path: string): Promise<Record<string, number>> {
  const before = await ok(api.get(`/v1/metrics/${path}`))
  await foldMetrics(app)
  assert.deepEqual((await api.get(`/v1/metrics/${path}`)).body, before)
  return before.total
}

test('SMS count with their segments and cost', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team)
  const send = (body: string, to = '+61400000000') => team.api.post('/v1/sms', { to, body, senderId })
  const { body: first } = await send('Hello')
  await send('long '.repeat(60))
  const { rows } = await sql<{ units: string; delivered: number }>`
    select sum(price_units) as units, count(*) filter (where status = 'delivered')::int as delivered
    from sms_messages where team_id = ${team.id} and billable
  `.execute(app.db)
  const total = await totalOf(team, 'sms')
  const { delivered } = rows[0]!
  const expected = { accepted: 2, sent: 2, delivered, undelivered: 0, failed: 0, segments: 3 }
  assert.deepEqual(total, { ...expected, costCents: Number(rows[0]!.units) / 100 })
  assert.ok(total.costCents! > 0)
  await app.transaction((tx) => tx.db.deleteFrom('sms_messages').where('id', '=', first.id).execute())
  assert.deepEqual(await totalOf(team, 'sms'), total)
})

test('an SMS of unknown outcome stays counted, with its cost, when it is removed by age', async () => {
  const team = await unsure.team()
  const senderId = await activeSender(team)
  const { body } = await team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })
  assert.equal((await team.api.get(`/v1/sms/${body.id}/events`)).body[0].type, 'outcome_unknown')
  const sms = async () => (await team.api.get('/v1/metrics/sms?interval=day')).body.total
  const before = await sms()
  assert.deepEqual([before.accepted, before.segments, before.costCents > 0], [1, 1, true])
  const { api } = await team.member('owner')
  assert.equal((await api.patch('/v1/team/retention', { messagesDays: 1 })).status, 200)
  await unsure.runDueJobsAfter(3 * 24 * 3_600_000)
  assert.equal((await team.api.get(`/v1/sms/${body.id}`)).status, 404)
  assert.deepEqual(await sms(), before)
})

test('an SMS that the provider refuses counts as accepted and failed, and costs nothing', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team)
  const { body } = await team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })
  await sql`
    update sms_messages set billable = null, seen = 0, status = 'accepted' where id = ${body.id}
  `.execute(app.db)
  await sql`update sms_messages set billable = false, seen = 8, status = 'failed' where id = ${body.id}`.execute(app.db)
  const { accepted, segments, failed, costCents, sent } = await totalOf(team, 'sms')
  assert.deepEqual(
    { accepted, segments, failed, costCents, sent },
    { accepted: 1, segments: 1, failed: 1, costCents: 0, sent: 0 },
  )
})

propertyTest('each kind of receipt counts once for an SMS, at the same time and in any order', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team)
  const types: SmsEventType[] = ['queued', 'sent', 'delivered', 'undelivered', 'failed']
  const receipts = fc.array(fc.record({ type: fc.constantFrom(...types), id: fc.nat(3) }), { maxLength: 12 })
  await forAllAsync(30, receipts, async (given) => {
    const before = await totalOf(team, 'sms')
    const { body } = await team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })
    await sql`update sms_messages set seen = 0, status = 'accepted', sent_at = null where id = ${body.id}`.execute(
      app.db,
    )
    await Promise.all(
      given.map(({ type, id }) => {
        const about = { messageId: body.id, providerMessageId: `SM-${body.id}`, at: app.clock.now(), data: null }
        const fact = { ...about, factId: `${type} ${id}`, type }
        return app.transaction((tx) => recordSmsFacts(tx, [{ teamId: team.id, messageId: body.id, fact }]))
      }),
    )
    const told = new Set(given.map(({ type }) => type))
    const after = await totalOf(team, 'sms')
    for (const type of ['undelivered', 'failed'] as const) {
      assert.equal(after[type]! - before[type]!, told.has(type) ? 1 : 0, type)
    }
  })
})

test('WhatsApp messages count once for each status, also when the statuses race', async () => {
  const shop = await openShop(posthorn)
  const customer = '+447700900999'
  await shop.write(customer, 'Hello')
  const { body } = await shop.send({ to: customer, body: 'Hello' })
  assert.ok(body.id, JSON.stringify(body))
  const before = await totalOf(shop.team, 'whatsapp')
  assert.deepEqual([before.sent, before.received, before.failed], [1, 1, 0])
  const fact = { teamId: shop.team.id, messageId: body.id, providerMessageId: null, at: app.clock.now(), data: null }
  const statuses = [...deliveryStatuses.slice(0, 3), ...deliveryStatuses.slice(0, 3)]
  await Promise.all(statuses.map((status) => app.transaction((tx) => recordWhatsappFacts(tx, [{ ...fact, status }]))))
  assert.deepEqual(await totalOf(shop.team, 'whatsapp'), { sent: 1, delivered: 1, read: 1, failed: 0, received: 1 })
})

test('executions count when they start and when they end, for the team and for their workflow', async () => {
  const team = await posthorn.team()
  const { body: works } = await activateChain(team, [])
  const { body: fails } = await activateChain(team, [{ type: 'suppress_email', config: { email: 'nobody' } }])
  const { body: waits } = await activateChain(team, [{ type: 'delay', config: { duration: '1d' } }])
  assert.equal((await runWorkflow(posthorn, team, works.id)).status, 'completed')
  const ended = fails.id ? (await runWorkflow(posthorn, team, fails.id)).status : null
  const path = `/v1/workflows/${waits.id}/executions`
  const { body: waiting } = await team.api.post(path, {})
  await posthorn.runDueJobs()
  assert.equal((await team.api.post(`${path}/${waiting.id}/cancel`)).status, 200)
  const failed = ended === 'failed' ? 1 : 0
  assert.deepEqual(await totalOf(team, 'workflows'), { started: 2 + failed, completed: 1, failed, cancelled: 1 })
  const ofOne = await totalOf(team, `workflows?workflowId=${works.id}`)
  assert.deepEqual(ofOne, { started: 1, completed: 1, failed: 0, cancelled: 0 })
})

test('an email that a workflow sends counts for the workflow', async () => {
  const team = await posthorn.team()
  const config = { from: `a@${team.domain}`, to: 'ada@people.test', subject: 'Hello', text: 'Hello' }
  const { body: workflow } = await activateChain(team, [{ type: 'send_email', config }])
  assert.equal((await runWorkflow(posthorn, team, workflow.id)).status, 'completed')
  const { accepted, sent } = await totalOf(team, `emails?workflowId=${workflow.id}`)
  assert.deepEqual([accepted, sent], [1, 1])
})

test('deliveries of webhooks count with each attempt, and how long attempts take is estimated', async () => {
  const [team, receiver] = [await posthorn.team(), await startReceiver()]
  const webhook = await makeWebhook(team.api, receiver.url)
  await posthorn.happen(team.id)
  await posthorn.happenNow(team.id)
  receiver.answer = 500
  await posthorn.happenNow(team.id)
  const { p95Ms, ...counts } = await totalOf(team, 'webhooks')
  assert.deepEqual(counts, { delivered: 2, failed: 0, attempts: 3 })
  assert.ok(p95Ms! > 0)
  await team.api.patch(webhook.path, { status: 'inactive' })
  await posthorn.runDueJobs()
  assert.deepEqual(
    { ...(await totalOf(team, 'webhooks')), p95Ms: 0 },
    { delivered: 2, failed: 1, attempts: 3, p95Ms: 0 },
  )
})

propertyTest('the estimated percentile of durations is at most 42 % too high and 30 % too low', () => {
  const columnOf = (ms: number) => Math.min(28, Math.max(0, Math.ceil(2 * Math.log2(Math.max(1, ms))) - 4))
  const durations = fc.array(fc.integer({ min: 4, max: 60_000 }), { minLength: 1, maxLength: 200 })
  forAll({ always: 100 }, durations, (given) => {
    const counts = Array.from({ length: 29 }, () => 0)
    for (const ms of given) counts[columnOf(ms)]! += 1
    const exact = given.toSorted((one, other) => one - other)[Math.ceil(given.length * 0.95) - 1]!
    const ratio = p95Of(counts) / exact
    assert.ok(ratio <= 1.42 + 1 / exact && ratio >= 0.7 - 1 / exact, `${p95Of(counts)} for ${exact}`)
  })
  assert.equal(p95Of(Array.from({ length: 29 }, () => 0)), 0)
})
