import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestApp } from '../../../../test/app.ts'
import { forAllAsync } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { readConfig } from '../../../config.ts'
import { stateOf } from '../../fixtures/sender.ts'
import { refuse, startAmazonSms } from './fixtures/amazon-sms.ts'

const amazon = await startAmazonSms()
const posthorn = await createTestApp(amazon.environment)
const team = await posthorn.team()
const ours = '+61400000001'
const { body: made } = await team.api.post('/v1/sms/senders', {
  ...{ name: 'Shop', senderId: ours, senderType: 'long_code', country: 'AU' },
})
const { body: sender } = await team.api.post(`/v1/sms/senders/${made.id}/verify`)

function post(message: unknown) {
  return posthorn.anyone.post('/providers/aws/sms', JSON.stringify(message), { 'content-type': 'text/plain' })
}

function send(to = '+61400000009') {
  return team.api.post('/v1/sms', { senderId: sender.id, to, body: 'Hello' })
}

type Sent = { id: string; providerMessageId: string }

const event = (sms: Sent, eventType: string, more: object = {}) => ({
  ...{ eventType, eventVersion: '1.0', eventTimestamp: posthorn.clock.now().getTime(), isFinal: false },
  ...{ originationPhoneNumber: ours, destinationPhoneNumber: '+61400000009', messageId: sms.providerMessageId },
  ...{ messageStatus: eventType.replace('TEXT_', ''), messageStatusDescription: `It is ${eventType}` },
  ...{ context: { posthorn: sms.id }, totalMessageParts: 1, totalMessagePrice: 0.0384, totalCarrierFee: 0 },
  ...more,
})

const tell = (...given: Parameters<typeof event>) => post(amazon.notify(event(...given)))

test('a message is sent, and Amazon’s events become its events, status and price', async () => {
  assert.equal(sender.status, 'active')
  assert.equal(sender.providerRef, 'phone-61400000001')
  const { body: sms } = await send()
  assert.deepEqual([sms.status, sms.providerMessageId], ['accepted', amazon.calls.length > 0 && 'aws-1'])
  for (const type of ['TEXT_QUEUED', 'TEXT_PENDING', 'TEXT_DELIVERED'])
    assert.deepEqual((await tell(sms, type)).body, { received: true })
  assert.deepEqual(await stateOf(team, sms.id), {
    status: 'delivered',
    types: ['accepted', 'delivered', 'queued', 'sent'],
  })
  const [newest] = (await team.api.get(`/v1/sms/${sms.id}/events`)).body
  assert.deepEqual(
    [newest.data.messageStatus, newest.data.messageStatusDescription, newest.data.carrierPrice],
    ['DELIVERED', 'It is TEXT_DELIVERED', { amount: '0.0384', currency: 'USD' }],
  )
  const row = await posthorn.app.db
    .selectFrom('sms_messages')
    .select(['carrier_price', 'carrier_currency'])
    .where('team_id', '=', team.id)
    .where('id', '=', sms.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([Number(row.carrier_price), row.carrier_currency], [0.0384, 'USD'])
})

propertyTest('events in any order and any number end the same', async () => {
  const events = ['TEXT_QUEUED', 'TEXT_PENDING', 'TEXT_DELIVERED']
  await forAllAsync(8, fc.shuffledSubarray([...events, ...events], { minLength: 6, maxLength: 6 }), async (order) => {
    const { body: sms } = await send()
    await Promise.all(order.slice(0, 3).map((type) => tell(sms, type)))
    for (const type of order.slice(3)) await tell(sms, type)
    const types = ['accepted', 'delivered', 'queued', 'sent']
    assert.deepEqual(await stateOf(team, sms.id), { status: 'delivered', types })
  })
})

test('a message is also found by Amazon’s id alone', async () => {
  const { body: sms } = await send()
  await tell(sms, 'TEXT_UNREACHABLE', { context: undefined, isFinal: true })
  assert.equal((await stateOf(team, sms.id)).status, 'undelivered')
})

test('a notification that is unsigned, of another topic or not about our messages changes nothing', async () => {
  const { body: sms } = await send()
  const good = amazon.notify(event(sms, 'TEXT_DELIVERED'))
  const changed = { ...good, Message: good.Message.replace('TEXT_DELIVERED', 'TEXT_INVALID') }
  const other = amazon.sign({ Message: good.Message, TopicArn: 'arn:aws:sns:us-east-1:999999999999:sms' })
  for (const message of [changed, other]) assert.equal((await post(message)).status, 401)
  assert.match((await post(other)).body.message, /SMS_AWS_TOPIC_ARNS/)
  assert.equal((await stateOf(team, sms.id)).status, 'accepted')
  for (const payload of [{}, 'hello', event({ id: 'x', providerMessageId: 'unknown' }, 'TEXT_SENT')])
    assert.equal((await post(amazon.notify(payload))).status, 200)
})

test('a subscription to the topic is confirmed', async () => {
  const SubscribeURL = `${amazon.url}/?Action=ConfirmSubscription&Token=token`
  const message = amazon.sign({ Type: 'SubscriptionConfirmation', Token: 'token', SubscribeURL })
  assert.equal((await post(message)).status, 200)
  assert.ok(amazon.fetched.includes('/?Action=ConfirmSubscription&Token=token'))
})

const from = '+61400000021'
const written = (messageBody: string, secondsAgo = 0) => {
  const Timestamp = new Date(posthorn.clock.now().getTime() - secondsAgo * 1000).toISOString()
  const inbound = { originationNumber: from, destinationNumber: ours, messageKeyword: 'KEYWORD_1', messageBody }
  return amazon.sign({ Message: JSON.stringify({ ...inbound, inboundMessageId: randomUUID() }), Timestamp })
}

test('STOP ends messages until START, and a repeated old STOP changes nothing', async () => {
  const stop = written('Stop', 60)
  await post(stop)
  assert.equal((await send(from)).status, 403)
  await post(written('START'))
  assert.equal((await send(from)).status, 200)
  await post(stop)
  assert.equal((await send(from)).status, 200)
})

test('a refusal, an unreachable provider and a lost answer are told apart, and no message is sent twice', async () => {
  const usual = amazon.answer
  const before = amazon.calls.length
  amazon.answer = refuse('ConflictException', { Reason: 'DESTINATION_PHONE_NUMBER_OPTED_OUT' })
  const gone = '+61400000031'
  const refused = await send(gone)
  assert.deepEqual([refused.status, refused.body.status], [200, 'failed'])
  // Amazon's refusal counts like the person's own word.
  assert.deepEqual([(await send(gone)).status, amazon.calls.length], [403, before + 1])
  amazon.answer = refuse('ThrottlingException')
  const busy = await send()
  assert.deepEqual([busy.status, busy.body.name], [502, 'provider_error'])
  amazon.answer = (_call, _response, request) => void request.socket.resetAndDestroy()
  const lost = await send()
  assert.deepEqual(await stateOf(team, lost.body.id), { status: 'accepted', types: ['accepted', 'outcome_unknown'] })
  amazon.answer = usual
  await posthorn.runDueJobsAfter(120_000)
  assert.equal(amazon.calls.length, before + 3)
  await tell({ id: lost.body.id, providerMessageId: 'aws-lost' }, 'TEXT_DELIVERED')
  assert.equal((await stateOf(team, lost.body.id)).status, 'delivered')
})

test('a missing or wrong region is refused at the start', () => {
  const start = (SMS_AWS_REGION: string) => () => readConfig({ ...amazon.environment, SMS_AWS_REGION })
  assert.throws(start(''), { message: 'SMS_AWS_REGION must be set with SMS_PROVIDER=aws; it was not set.' })
  assert.throws(start('Sydney'), /SMS_AWS_REGION must be a region of Amazon such as us-east-1; it was "Sydney"/)
})

test('the regions of all of Amazon’s partitions are accepted, also of the one in Europe', () => {
  for (const region of ['eu-central-1', 'us-gov-west-1', 'cn-north-1', 'eusc-de-east-1'])
    assert.ok(readConfig({ ...amazon.environment, TRIAL: 'on', SMS_AWS_REGION: region }), region)
})

test('a message that Amazon’s notification brings twice is in the inbox once', async () => {
  const message = written('Is it here yet?')
  for (let times = 0; times < 2; times++) assert.equal((await post(message)).status, 200)
  const { data } = (await team.api.get(`/v1/inbox/threads/sms/${encodeURIComponent(from)}`)).body
  assert.equal(data.filter(({ body }: { body: string }) => body === 'Is it here yet?').length, 1)
})
