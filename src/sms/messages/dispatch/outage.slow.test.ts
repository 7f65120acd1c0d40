import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { databaseProxy } from '../../../../test/database-proxy.ts'
import { until } from '../../../../test/patience.ts'
import { scriptedProvider } from '../../fixtures/scripted-provider.ts'
import { activeSender, eventTypes } from '../../fixtures/sender.ts'
import type { SmsAnswer } from '../../provider.ts'

test('a message that was refused while the database was gone for minutes has failed, and is not billed', async ({
  mock,
}) => {
  const provider = scriptedProvider()
  const { promise: answered, resolve: answer } = Promise.withResolvers<SmsAnswer>()
  provider.onSend = () => answered
  const database = databaseProxy()
  after(() => database.close())
  const posthorn = await createTestApp({}, { smsProvider: provider, through: database.through })
  const team = await posthorn.team({ plan: 'pro' })
  const creditOf = async () => (await team.api.get('/v1/billing/subscription')).body.smsCreditCentsRemaining
  const before = await creditOf()
  const body = { to: '+61400000000', body: 'Hello', senderId: await activeSender(team) }
  // Its answer depends on how long the database is gone by the clock of the machine.
  const answering = team.api.post('/v1/sms', body)
  await until(() => provider.sent.length === 1)
  database.cut()
  answer({ kind: 'refused', message: 'No such number.', data: null })
  await until(() => database.refused() > 0)
  const real = performance.now.bind(performance)
  mock.method(performance, 'now', () => real() + 120_000)
  const tried = database.refused()
  await until(() => database.refused() > tried)
  posthorn.clock.advance(120_000)
  database.mend()
  await posthorn.runDueJobs()
  await answering
  const { messageId } = provider.sent[0]!
  await until(async () => (await team.api.get(`/v1/sms/${messageId}`)).body.status !== 'pending')
  assert.deepEqual(await eventTypes(team, messageId), ['failed', 'accepted'])
  assert.equal(await creditOf(), before)
  assert.equal(provider.sent.length, 1)
})
