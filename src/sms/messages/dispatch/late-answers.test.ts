import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { zeroCredit } from '../../../billing/credit/set.ts'
import { assertExactBilling } from '../../../billing/fixtures/exact.ts'
import { scriptedProvider, taken } from '../../fixtures/scripted-provider.ts'
import { activeSender, eventTypes } from '../../fixtures/sender.ts'
import type { SmsAnswer } from '../../provider.ts'
import { recordSmsReports } from '../facts/reports.ts'

const provider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider: provider })
const { app } = posthorn
const other = await posthorn.another()
const to = '+61400000000'
const key = { 'idempotency-key': 'late' }

async function shop(): Promise<TestTeam & { senderId: string }> {
  const team = await posthorn.team({ plan: 'pro' })
  return { ...team, senderId: await activeSender(team) }
}

async function accountOf({ api }: TestTeam) {
  const { usage } = (await api.get('/v1/rate-limits')).body
  const { smsCreditCentsRemaining } = (await api.get('/v1/billing/subscription')).body
  return [usage.smsSentToday, usage.smsSpendToday, smsCreditCentsRemaining]
}

/** Sends a message whose process is paused for longer than its lease, while the provider has it. */
async function sendPaused(team: TestTeam & { senderId: string }) {
  provider.sent = []
  const { promise, resolve: answer } = Promise.withResolvers<SmsAnswer>()
  provider.onSend = () => promise
  const body = { to, body: 'Hello', senderId: team.senderId }
  const answering = team.api.post('/v1/sms', body, key)
  await until(() => provider.sent.length === 1)
  posthorn.clock.advance(app.jobs.leaseMs + 1)
  await other.app.jobs.runDue()
  const id = provider.sent[0]!.messageId
  assert.deepEqual(await eventTypes(team, id), ['outcome_unknown', 'accepted'])
  // The order of ids from two processes is exact only to the millisecond.
  posthorn.clock.advance(1)
  return { id, answer, answering, repeat: () => team.api.post('/v1/sms', body, key) }
}

for (const late of [
  { kind: 'refused', message: 'No such number.', data: null },
  { kind: 'unavailable', message: 'Connection refused.' },
] as const) {
  test(`a message that is ${late.kind} after another process took it over has failed, and is not billed`, async () => {
    const team = await shop()
    const { id, answer, answering, repeat } = await sendPaused(team)
    assert.deepEqual(await accountOf(team), [1, 0.08, 192])
    answer(late)
    const answered = await answering
    assert.deepEqual([answered.status, answered.body.id, answered.body.status], [200, id, 'failed'])
    assert.deepEqual(await eventTypes(team, id), ['failed', 'outcome_unknown', 'accepted'])
    assert.deepEqual(await accountOf(team), [1, 0, 200])
    assert.deepEqual((await repeat()).body, answered.body)
    assert.equal(provider.sent.length, 1)
    await assertExactBilling(app)
  })
}

test('a message that is accepted after another process took it over has the provider’s id, and is billed once', async () => {
  const team = await shop()
  const { id, answer, answering } = await sendPaused(team)
  answer(taken(provider.sent[0]!))
  const answered = await answering
  assert.deepEqual([answered.status, answered.body.providerMessageId], [200, `SM-${id}`])
  assert.deepEqual(await eventTypes(team, id), ['outcome_unknown', 'accepted'])
  assert.deepEqual(await accountOf(team), [1, 0.08, 192])
  await assertExactBilling(app)
})

test('a late answer does not change a message of which the provider has told more', async () => {
  const team = await shop()
  const { id, answer, answering } = await sendPaused(team)
  const told = { factId: '1', messageId: id, providerMessageId: 'SM1', at: app.clock.now(), data: null }
  await recordSmsReports(app, 'twilio', [{ ...told, type: 'delivered' }])
  answer({ kind: 'refused', message: 'Too late.', data: null })
  assert.equal((await answering).body.status, 'delivered')
  assert.deepEqual(await accountOf(team), [1, 0.08, 192])
  await assertExactBilling(app)
})

test('a late unknown outcome is not recorded a second time', async () => {
  const team = await shop()
  const { id, answer, answering } = await sendPaused(team)
  answer({ kind: 'unknown', message: 'The connection was lost.' })
  assert.equal((await answering).body.status, 'accepted')
  assert.deepEqual(await eventTypes(team, id), ['outcome_unknown', 'accepted'])
  await assertExactBilling(app)
})

test('overage that was to be reported when the late refusal came stays billed, and the message has failed', async () => {
  const team = await shop()
  await app.transaction((tx) => zeroCredit(tx, team.id, 'test'))
  const { id, answer, answering } = await sendPaused(team)
  answer({ kind: 'refused', message: 'No such number.', data: null })
  assert.equal((await answering).body.status, 'failed')
  assert.deepEqual(await eventTypes(team, id), ['failed', 'outcome_unknown', 'accepted'])
  assert.deepEqual(await accountOf(team), [1, 0.08, 0])
  await assertExactBilling(app)
})

test('the accounts are exact if answers come while other processes take the messages over', async () => {
  const team = await shop()
  const kinds = ['accepted', 'refused', 'unavailable', 'unknown'] as const
  const answers: ((answer: SmsAnswer) => void)[] = []
  provider.sent = []
  provider.onSend = () => {
    const { promise, resolve } = Promise.withResolvers<SmsAnswer>()
    answers.push(resolve)
    return promise
  }
  const body = { to, body: 'Hello', senderId: team.senderId }
  // The credit of the plan pays 25 of them.
  const sending = Array.from({ length: 32 }, () => team.api.post('/v1/sms', body))
  await until(() => answers.length === sending.length)
  posthorn.clock.advance(app.jobs.leaseMs + 1)
  const taking = [other, await posthorn.another()].map((process) => process.app.jobs.runDue())
  const messages = answers.map((answer, index) => {
    const kind = kinds[index % kinds.length]!
    const { messageId } = provider.sent[index]!
    if (kind === 'accepted') answer(taken(provider.sent[index]!))
    else answer({ kind, message: kind, data: null })
    return { messageId, kind }
  })
  await Promise.all([...sending, ...taking])
  for (const { messageId, kind } of messages) {
    const { status, body: sms } = await team.api.get(`/v1/sms/${messageId}`)
    if (kind === 'refused') assert.equal(sms.status, 'failed')
    // One that no other process had taken over is withdrawn.
    else if (kind === 'unavailable') assert.ok(status === 404 || sms.status === 'failed')
    else assert.deepEqual([sms.status, sms.providerMessageId !== null], ['accepted', kind === 'accepted'])
  }
  assert.equal(provider.sent.length, sending.length)
  await assertExactBilling(app)
})
