import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { onServer } from '../../../../test/database.ts'
import { pluck } from '../../../../test/pluck.ts'
import { assertExactBilling } from '../../../billing/fixtures/exact.ts'
import { discardJob, retryJob } from '../../../platform/jobs/discarded/retry.ts'
import { holdBackDueJobs } from '../../../platform/jobs/restored/hold-back.ts'
import { scriptedProvider, taken } from '../../fixtures/scripted-provider.ts'
import { activeSender, eventTypes } from '../../fixtures/sender.ts'
import { deliverSmsJob } from '../../jobs.ts'
import { acceptSms } from '../accept/accept.ts'
import { parseSms } from '../accept/parse.ts'
import { recordSmsReports } from '../facts/reports.ts'
import { handOver } from './hand-over.ts'

const provider = scriptedProvider()
let database: pg.ClientConfig = {}
const through = async (config: pg.ClientConfig) => {
  database = config
  return config
}
const posthorn = await createTestApp({}, { smsProvider: provider, through })
const { app } = posthorn
const [to, dead] = ['+61400000000', '+12025550123']

async function shop(): Promise<TestTeam & { senderId: string }> {
  provider.sent = []
  provider.onSend = taken
  const team = await posthorn.team({ plan: 'pro' })
  return { ...team, senderId: await activeSender(team) }
}

async function usageOf({ api }: TestTeam) {
  const { usage } = (await api.get('/v1/rate-limits')).body
  return [usage.smsSentToday, usage.smsSpendToday]
}

async function creditOf({ api }: TestTeam): Promise<number> {
  return (await api.get('/v1/billing/subscription')).body.smsCreditCentsRemaining
}

test('the provider receives a message once, with all it needs, and its id is stored', async () => {
  const team = await shop()
  const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId: team.senderId })
  assert.deepEqual(provider.sent, [
    {
      ...{ teamId: team.id, messageId: sent.body.id, from: 'Shop', senderType: 'alphanumeric_id', providerRef: 'ref' },
      ...{ to, body: 'Hello', messageType: 'transactional' },
    },
  ])
  assert.deepEqual([sent.body.status, sent.body.sentAt], ['accepted', null])
  assert.equal(sent.body.providerMessageId, `SM-${sent.body.id}`)
  assert.deepEqual(await eventTypes(team, sent.body.id), ['accepted'])
})

test('a message is durable, paid for and marked as handed over before the provider is asked', async () => {
  const team = await shop()
  let seen: unknown
  provider.onSend = async (message) => {
    const row = await app.db
      .selectFrom('sms_messages')
      .selectAll()
      .where('id', '=', message.messageId)
      .executeTakeFirst()
    seen = [row?.status, row?.handed_over_at !== null, row?.billable, await usageOf(team), await creditOf(team)]
    return taken(message)
  }
  await team.api.post('/v1/sms', { to, body: 'Hello', senderId: team.senderId })
  assert.deepEqual(seen, ['accepted', true, null, [1, 0.08], 192])
})

test('a provider out of reach is 502 and leaves nothing behind: the key can be used again', async () => {
  const team = await shop()
  provider.onSend = () => ({ kind: 'unavailable', message: 'Connection refused.' })
  const message = { to, body: 'Hello', senderId: team.senderId }
  const refused = await team.api.post('/v1/sms', message, { 'idempotency-key': 'again' })
  assert.deepEqual([refused.status, refused.body.name], [502, 'provider_error'])
  assert.deepEqual((await team.api.get('/v1/sms')).body.data, [])
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[0, 0], 200])
  assert.equal((await team.api.delete(`/v1/sms/senders/${team.senderId}`)).status, 200, 'the sender was never used')
  await assertExactBilling(app)
  const senderId = await activeSender(team)
  provider.onSend = taken
  const sent = await team.api.post('/v1/sms', { ...message, senderId }, { 'idempotency-key': 'again' })
  assert.equal(sent.status, 200, sent.text)
  await posthorn.runDueJobs()
  assert.equal(provider.sent.length, 2)
})

test('in a batch a message fails and is not billed if the provider is out of reach, and the others continue', async () => {
  const team = await shop()
  provider.onSend = (message) =>
    message.to === dead ? { kind: 'unavailable', message: 'Connection refused.' } : taken(message)
  const messages = [dead, to, dead, to].map((number) => ({ to: number, body: 'Hello', senderId: team.senderId }))
  const sent = await team.api.post('/v1/sms/batch', { messages })
  const statuses = sent.body.data.map(({ status }: { status: string }) => status)
  assert.deepEqual(statuses, ['failed', 'accepted', 'failed', 'accepted'])
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[4, 0.16], 184])
  await assertExactBilling(app)
})

test('a message that the provider refuses is stored as failed with its reason, and not billed', async () => {
  const team = await shop()
  provider.onSend = () => ({ kind: 'refused', message: 'Unknown subscriber.', data: { errorCode: 21614 } })
  const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId: team.senderId })
  assert.deepEqual([sent.status, sent.body.status], [200, 'failed'])
  const [failed] = (await team.api.get(`/v1/sms/${sent.body.id}/events`)).body
  assert.deepEqual(failed.data, {
    messageStatus: 'FAILED',
    messageStatusDescription: 'Unknown subscriber.',
    errorCode: 21614,
  })
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[1, 0], 200])
  const told = { factId: 'late', messageId: sent.body.id, providerMessageId: 'x', at: app.clock.now(), data: null }
  await recordSmsReports(app, 'twilio', [{ ...told, type: 'delivered' }])
  assert.equal((await team.api.get(`/v1/sms/${sent.body.id}`)).body.status, 'failed')
  await assertExactBilling(app)
})

test('an unknown outcome is an event; the message is billed, never sent again, and a receipt moves it on', async () => {
  const team = await shop()
  provider.onSend = () => ({ kind: 'unknown', message: 'The connection was lost.' })
  const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId: team.senderId })
  assert.deepEqual([sent.status, sent.body.status, sent.body.providerMessageId], [200, 'accepted', null])
  assert.deepEqual(await eventTypes(team, sent.body.id), ['outcome_unknown', 'accepted'])
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[1, 0.08], 192])
  await posthorn.runDueJobsAfter(24 * 3_600_000)
  assert.equal(provider.sent.length, 1)
  const told = { factId: '1', messageId: sent.body.id, providerMessageId: 'SM1', at: app.clock.now(), data: null }
  await recordSmsReports(app, 'twilio', [{ ...told, type: 'delivered' }])
  const read = (await team.api.get(`/v1/sms/${sent.body.id}`)).body
  assert.deepEqual([read.status, read.providerMessageId], ['delivered', 'SM1'])
  await assertExactBilling(app)
})

/** Makes the state that a process leaves behind if it dies right after it has accepted a message. */
async function acceptAndDie(team: TestTeam & { senderId: string }, key: string | null = null) {
  const body = { to, body: 'Hello', senderId: team.senderId }
  const { limits } = (await team.api.get('/v1/rate-limits')).body
  const requestKey =
    key === null
      ? null
      : (await import('../../../platform/idempotency/keys.ts')).requestKey(team.id, 'POST /v1/sms', key, body)
  const commands = [parseSms(body)]
  const [message] = (await acceptSms(app, { teamId: team.id, limits, commands, key: requestKey, isBatch: false }))!
  return { message: message!, body }
}

test('a message whose process died before the hand-over is sent by another process, and its key gets that answer', async () => {
  const team = await shop()
  const { message, body } = await acceptAndDie(team, 'dead')
  assert.equal(await posthorn.runDueJobs(), 0, 'the lease is respected')
  await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs + 1)
  assert.deepEqual(pluck(provider.sent, 'messageId'), [message.id])
  const repeated = await team.api.post('/v1/sms', body, { 'idempotency-key': 'dead' })
  assert.deepEqual([repeated.status, repeated.body.id, provider.sent.length], [200, message.id, 1])
  await assertExactBilling(app)
})

test('a message whose process died after the hand-over is never sent again, and has the event outcome_unknown', async () => {
  const team = await shop()
  const { message } = await acceptAndDie(team)
  const asked = Promise.withResolvers<void>()
  provider.onSend = () => {
    asked.resolve()
    return new Promise(() => undefined)
  }
  void handOver(app, message.job)
  await asked.promise
  provider.sent = []
  await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs + 1)
  assert.deepEqual(provider.sent, [])
  assert.deepEqual(await eventTypes(team, message.id), ['outcome_unknown', 'accepted'])
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[1, 0.08], 192])
  assert.equal(await posthorn.runDueJobs(), 0)
  await assertExactBilling(app)
})

test('a worker that finds the provider out of reach leaves the message failed and not billed', async () => {
  const team = await shop()
  const { message } = await acceptAndDie(team)
  provider.onSend = () => ({ kind: 'unavailable', message: 'Connection refused.' })
  await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs + 1)
  assert.equal((await team.api.get(`/v1/sms/${message.id}`)).body.status, 'failed')
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[1, 0], 200])
  await assertExactBilling(app)
})

test('a message whose job is discarded has failed and is not billed, or is billed if it was being handed over', async () => {
  const team = await shop()
  const { message: unmarked } = await acceptAndDie(team)
  const { message: marked } = await acceptAndDie(team)
  provider.onSend = () => new Promise(() => undefined)
  void handOver(app, marked.job)
  while (provider.sent.length === 0) await new Promise((soon) => setImmediate(soon))
  posthorn.clock.advance(posthorn.app.jobs.leaseMs + 1)
  for (const { job } of [unmarked, marked]) await discardJob(app, job.id)
  assert.equal((await team.api.get(`/v1/sms/${unmarked.id}`)).body.status, 'failed')
  assert.deepEqual(await eventTypes(team, unmarked.id), ['failed', 'accepted'])
  assert.deepEqual(await eventTypes(team, marked.id), ['outcome_unknown', 'accepted'])
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[2, 0.08], 192])
  await assertExactBilling(app)
  await assert.rejects(retryJob(app, unmarked.job.id), /Its team sends it again/)
})

test('a message that was not yet handed over at the backup is of unknown outcome after a restore, stays billed, and is not sent', async () => {
  const team = await shop()
  const { message } = await acceptAndDie(team)
  // The test before discarded jobs at this moment, which would count as those of the restore.
  posthorn.clock.advance(1)
  const restoredAt = posthorn.clock.now()
  const restored = { discard: [deliverSmsJob.kind], note: [], madeAt: restoredAt.toISOString(), restoredAt }
  assert.equal(await onServer(database, (client) => holdBackDueJobs(client, restored)), 1)
  await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs + 1)
  assert.deepEqual(provider.sent, [])
  assert.equal((await team.api.get(`/v1/sms/${message.id}`)).body.status, 'accepted')
  assert.deepEqual(await eventTypes(team, message.id), ['outcome_unknown', 'accepted'])
  assert.deepEqual([await usageOf(team), await creditOf(team)], [[1, 0.08], 192])
  await assertExactBilling(app)
})

test('a message that fails after midnight is returned to the day on which it was counted', async () => {
  const team = await shop()
  const message = { to, body: 'Hello', senderId: team.senderId }
  provider.onSend = async () => {
    posthorn.clock.advance(24 * 3_600_000)
    provider.onSend = taken
    await team.api.post('/v1/sms', message)
    return { kind: 'refused', message: 'No.', data: null }
  }
  await team.api.post('/v1/sms', message)
  assert.deepEqual(await usageOf(team), [1, 0.08])
  await assertExactBilling(app)
})
