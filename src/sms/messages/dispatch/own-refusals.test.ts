import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import { assertExactBilling } from '../../../billing/fixtures/exact.ts'
import { reassignNumber } from '../../../phone/assign.ts'
import { suspendSender } from '../../../phone/suspend.ts'
import { ask } from '../../../privacy/fixtures/ask.ts'
import { scriptedProvider, taken } from '../../fixtures/scripted-provider.ts'
import { activeSender, eventTypes } from '../../fixtures/sender.ts'
import { receiveSms } from '../../opt-outs/record-inbound.ts'
import { acceptSms } from '../accept/accept.ts'
import { parseSms } from '../accept/parse.ts'

const provider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider: provider })
const { app } = posthorn
const to = '+61400000000'

/** Accepts a message as a process does that dies before it hands it over. Returns its id. */
async function acceptAndDie({ id, api }: TestTeam, senderId: string): Promise<string> {
  const { limits } = (await api.get('/v1/rate-limits')).body
  const commands = [parseSms({ to, body: 'Hello', senderId })]
  const [message] = (await acceptSms(app, { teamId: id, limits, commands, key: null, isBatch: false }))!
  return message!.id
}

type Api = TestTeam['api']

async function assertNotBilled({ api }: { api: Api }, messageId: string, why: string): Promise<void> {
  const [failed] = (await api.get(`/v1/sms/${messageId}/events`)).body
  assert.deepEqual([failed.type, failed.data.messageStatusDescription], ['failed', why])
  const { usage } = (await api.get('/v1/rate-limits')).body
  const { smsCreditCentsRemaining } = (await api.get('/v1/billing/subscription')).body
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday, smsCreditCentsRemaining], [1, 0, 200])
}

test('a worker sends nothing from a sender that was suspended, or whose number another team has; nothing is billed', async () => {
  for (const [change, number] of [
    ['suspended', '+61455500001'],
    ['assigned', '+61455500002'],
  ] as const) {
    provider.sent = []
    const team = await posthorn.team({ plan: 'pro' })
    const senderId = await activeSender(team, { senderId: number, senderType: 'long_code' })
    const messageId = await acceptAndDie(team, senderId)
    if (change === 'suspended') await suspendSender(app, 'sms', senderId, null)
    else await reassignNumber(app, { channel: 'sms', number: number }, (await posthorn.team()).id)
    await posthorn.runDueJobsAfter(app.jobs.leaseMs + 1)
    assert.deepEqual(provider.sent, [], change)
    await assertNotBilled(team, messageId, 'The sender is not active any more.')
  }
  await assertExactBilling(app)
})

slowTest('a worker sends nothing to a person who opted out or was erased after the message was accepted', async () => {
  for (const change of ['opted out', 'was erased'] as const) {
    provider.sent = []
    const team = await posthorn.team({ plan: 'pro' })
    const messageId = await acceptAndDie(team, await activeSender(team))
    if (change === 'opted out') await ok(team.api.post('/v1/sms/opt-outs', { phoneNumber: to }))
    else await ask(team, { type: 'erase', phoneNumber: to })
    await posthorn.runDueJobs()
    await posthorn.runDueJobsAfter(app.jobs.leaseMs + 1)
    assert.deepEqual(provider.sent, [], change)
    const verb = change === 'opted out' ? 'has opted out' : change
    await assertNotBilled(team, messageId, `The recipient ${verb} since the message was accepted.`)
  }
  await assertExactBilling(app)
})

test('a batch sends nothing to a person who writes STOP or is erased before their message has its turn', async () => {
  provider.sent = []
  const team = await posthorn.team({ plan: 'pro' })
  const senderId = await activeSender(team, { senderId: '+61455500003', senderType: 'long_code' })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  provider.onSend = (message) => answered.then(() => taken(message))
  const numbers = Array.from({ length: 13 }, (_, at) => `+614000001${String(at).padStart(2, '0')}`)
  const messages = numbers.map((number) => ({ to: number, body: 'Hello', senderId }))
  const sending = team.api.post('/v1/sms/batch', { messages })
  await until(() => provider.sent.length === 10)
  const [stopped, erased] = numbers.slice(10)
  await receiveSms(app, { from: stopped!, to: '+61455500003', body: 'STOP' })
  await ask(team, { type: 'erase', phoneNumber: erased! })
  answer()
  const { data } = await ok(sending)
  provider.onSend = taken
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    numbers.map((_, at) => (at === 10 || at === 11 ? 'failed' : 'accepted')),
  )
  assert.deepEqual(provider.sent.map((message) => message.to).sort(), numbers.toSpliced(10, 2))
  const { usage } = (await team.api.get('/v1/rate-limits')).body
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [13, 0.88])
  await assertExactBilling(app)
})

test('a message that may have been sent is of unknown outcome also if the person has opted out since', async () => {
  provider.sent = []
  const team = await posthorn.team({ plan: 'pro' })
  const senderId = await activeSender(team)
  provider.onSend = () => new Promise(() => undefined)
  void team.api.post('/v1/sms', { to, body: 'Hello', senderId })
  await until(() => provider.sent.length === 1)
  provider.onSend = taken
  await ok(team.api.post('/v1/sms/opt-outs', { phoneNumber: to }))
  posthorn.clock.advance(app.jobs.leaseMs + 1)
  await (await posthorn.another()).app.jobs.runDue()
  const { messageId } = provider.sent[0]!
  assert.deepEqual(await eventTypes(team, messageId), ['outcome_unknown', 'accepted'])
})
