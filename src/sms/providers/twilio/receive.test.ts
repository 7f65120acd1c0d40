import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { createTestApp } from '../../../../test/app.ts'
import { forAllAsync } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { readConfig } from '../../../config.ts'
import { stateOf } from '../../fixtures/sender.ts'
import { accountSid, authToken, callback, publicUrl, refuse, startTwilio, type TwilioForm } from './fixtures/twilio.ts'

const twilio = await startTwilio()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
const posthorn = await createTestApp(twilio.environment, { log })
const team = await posthorn.team()
const ours = '+61400000001'
const { body: made } = await team.api.post('/v1/sms/senders', {
  ...{ name: 'Shop', senderId: ours, senderType: 'long_code', country: 'AU' },
})
const { body: sender } = await team.api.post(`/v1/sms/senders/${made.id}/verify`)
const inboundUrl = `${publicUrl}/providers/twilio/sms`

type Call = { path: string; body: string; headers: Record<string, string> }
const post = ({ path, body, headers }: Call) => posthorn.anyone.post(path, body, headers)

function send(to = '+61400000009') {
  return team.api.post('/v1/sms', { senderId: sender.id, to, body: 'Hello' })
}

/** Sends a message. Returns our id, the callback's URL and Twilio's id. */
async function sendOne() {
  const { body: sms } = await send()
  return { id: sms.id as string, url: twilio.sent.at(-1)!.StatusCallback!, sid: sms.providerMessageId as string }
}

const told = (sms: { url: string; sid: string }, MessageStatus: string, more: TwilioForm = {}) =>
  callback(sms.url, {
    ...{ AccountSid: accountSid, ApiVersion: '2010-04-01', From: ours, To: '+61400000009' },
    ...{ MessageSid: sms.sid, SmsSid: sms.sid, SmsStatus: MessageStatus, MessageStatus },
    ...more,
  })

test('a message is sent, and the statuses that Twilio reports become its events and its status', async () => {
  assert.deepEqual([sender.status, sender.providerRef], ['active', 'PN1'])
  const sms = await sendOne()
  assert.equal(sms.url, `${publicUrl}/providers/twilio/sms?message=${sms.id}`)
  assert.deepEqual(await stateOf(team, sms.id), { status: 'queued', types: ['accepted', 'queued'] })
  for (const status of ['sending', 'sent', 'delivered']) {
    const answer = await post(told(sms, status))
    assert.deepEqual([answer.status, answer.text], [200, '<?xml version="1.0" encoding="UTF-8"?><Response/>'])
    assert.match(answer.headers['content-type']!, /^text\/xml/)
  }
  assert.deepEqual(await stateOf(team, sms.id), {
    status: 'delivered',
    types: ['accepted', 'delivered', 'queued', 'sent'],
  })
  const [newest] = (await team.api.get(`/v1/sms/${sms.id}/events`)).body
  assert.deepEqual(newest.data, { messageStatus: 'delivered', messageStatusDescription: null })
})

test('a refusal that is cut off within a character fails the message', async () => {
  const usual = twilio.answer
  twilio.answer = refuse(400, 21211, `${'x'.repeat(499)}😀`)
  const { body: sms } = await send()
  twilio.answer = usual
  assert.deepEqual(await stateOf(team, sms.id), { status: 'failed', types: ['accepted', 'failed'] })
})

test('the price of a message is asked for until Twilio knows it, and is shown in its event', async () => {
  const sms = await sendOne()
  await post(told(sms, 'delivered'))
  const minuteMs = 60_000
  twilio.price = null
  await posthorn.runDueJobsAfter(minuteMs)
  twilio.price = '-0.00750'
  await posthorn.runDueJobsAfter(10 * minuteMs)
  const [newest] = (await team.api.get(`/v1/sms/${sms.id}/events`)).body
  assert.equal(newest.type, 'delivered')
  assert.deepEqual(newest.data.carrierPrice, { amount: '0.00750', currency: 'USD' })
  assert.equal(await posthorn.runDueJobs(), 0)
})

test('a price that Twilio reports with a status is kept and shown at once', async () => {
  const sms = await sendOne()
  await post(told(sms, 'delivered', { Price: '-0.0384', PriceUnit: 'USD' }))
  const [newest] = (await team.api.get(`/v1/sms/${sms.id}/events`)).body
  assert.deepEqual(newest.data.carrierPrice, { amount: '0.0384', currency: 'USD' })
})

test('an undelivered message has Twilio’s error number', async () => {
  const sms = await sendOne()
  await post(told(sms, 'undelivered', { ErrorCode: '30003', ErrorMessage: 'Unreachable\0' }))
  const [newest] = (await team.api.get(`/v1/sms/${sms.id}/events`)).body
  assert.deepEqual([newest.type, newest.data.errorCode], ['undelivered', '30003'])
  assert.equal(newest.data.messageStatusDescription, 'Unreachable\ufffd')
})

propertyTest('callbacks in any order and with any repeats end the same', async () => {
  const statuses = ['queued', 'sending', 'sent', 'delivered']
  await forAllAsync(
    10,
    fc.shuffledSubarray([...statuses, ...statuses], { minLength: 8, maxLength: 8 }),
    async (order) => {
      const sms = await sendOne()
      await Promise.all(order.slice(0, 4).map((status) => post(told(sms, status))))
      for (const status of order.slice(4)) await post(told(sms, status))
      const types = ['accepted', 'delivered', 'queued', 'sent']
      assert.deepEqual(await stateOf(team, sms.id), { status: 'delivered', types })
    },
  )
})

test('a callback without Twilio’s valid signature changes nothing', async () => {
  const [sms, other] = [await sendOne(), await sendOne()]
  const good = told(sms, 'delivered')
  const { 'x-twilio-signature': _, ...unsigned } = good.headers
  for (const call of [
    callback(sms.url, { MessageSid: sms.sid, MessageStatus: 'delivered' }, 'another token'),
    { ...good, body: good.body.replace('delivered', 'failed') },
    { ...good, body: `${good.body}&x=1` },
    { ...good, path: good.path.replace(sms.id, other.id) },
    { ...good, path: '/providers/twilio/sms' },
    { ...good, headers: { ...good.headers, 'x-twilio-signature': 'x' } },
    { ...good, headers: unsigned },
    { ...good, body: '' },
  ]) {
    const answer = await post(call)
    assert.deepEqual([answer.status, answer.body.name], [401, 'authentication_error'])
  }
  for (const { id } of [sms, other]) assert.equal((await stateOf(team, id)).status, 'queued')
})

test('a callback about an unknown message is accepted and ignored', async () => {
  const unknown = { url: `${inboundUrl}?message=01890a5d-ac96-774b-bcce-b302099a8057`, sid: 'SM9' }
  const odd = { url: `${inboundUrl}?message=x`, sid: 'SM9' }
  for (const sms of [unknown, odd, { ...odd, url: inboundUrl }])
    assert.equal((await post(told(sms, 'sent'))).status, 200)
  assert.equal((await post(told(await sendOne(), 'constructor'))).status, 200)
  assert.equal((await post(callback(inboundUrl, {}))).status, 200)
})

const from = '+61400000021'
let messages = 0
const written = (Body: string, to = ours, sid = `SM${++messages}`) =>
  callback(inboundUrl, {
    ...{ MessageSid: sid, SmsSid: sid, SmsStatus: 'received', AccountSid: accountSid, NumMedia: '0' },
    ...{ From: from, To: to, Body, FromCountry: 'AU' },
  })

test('a person who writes STOP to the number of a team gets no more messages from it until START', async () => {
  const stranger = await posthorn.team()
  assert.equal((await send(from)).status, 200)
  assert.equal((await post(written(' stop\n'))).status, 200)
  assert.equal((await send(from)).status, 403)
  const { body } = await team.api.get('/v1/sms/opt-outs')
  assert.deepEqual([body.data[0].phoneNumber, body.data[0].reason], [from, 'keyword'])
  assert.deepEqual((await stranger.api.get('/v1/sms/opt-outs')).body.data, [])
  await post(written('Please stop it'))
  await post(written('START', '+61400000077'))
  assert.equal((await send(from)).status, 403)
  await post(written('START'))
  assert.equal((await send(from)).status, 200)
})

test('a STOP that Twilio repeats does not undo the START that came after it', async () => {
  const stop = written('STOP')
  await post(stop)
  await post(written('START'))
  assert.equal((await post(stop)).status, 200)
  assert.equal((await send(from)).status, 200)
})

test('a forged STOP changes nothing', async () => {
  const call = written('STOP')
  const answer = await post({
    ...call,
    body: call.body.replace(encodeURIComponent(from), encodeURIComponent('+61400000022')),
  })
  assert.equal(answer.status, 401)
  assert.equal((await send('+61400000022')).status, 200)
})

test('a refusal, an unreachable provider and a lost answer are told apart, and no message is sent twice', async () => {
  const usual = twilio.answer
  const before = twilio.sent.length
  twilio.answer = refuse(400, 21211, 'Not a valid phone number.')
  const refused = await send()
  assert.deepEqual([refused.status, refused.body.status, refused.body.providerMessageId], [200, 'failed', null])
  const [failed] = (await team.api.get(`/v1/sms/${refused.body.id}/events`)).body
  assert.deepEqual([failed.type, failed.data.errorCode], ['failed', '21211'])
  twilio.answer = refuse(429, 20429, 'Too many requests')
  const busy = await send()
  assert.deepEqual([busy.status, busy.body.name], [502, 'provider_error'])
  twilio.answer = (_form, _response, request) => void request.socket.resetAndDestroy()
  const lost = await send()
  assert.equal(lost.status, 200)
  assert.deepEqual(await stateOf(team, lost.body.id), { status: 'accepted', types: ['accepted', 'outcome_unknown'] })
  const { StatusCallback: url = '' } = twilio.sent.at(-1)!
  twilio.answer = usual
  await posthorn.runDueJobsAfter(120_000)
  assert.equal(twilio.sent.length, before + 3)
  // Twilio had sent the message: the callback contains our id, although we never received Twilio's id.
  await post(told({ url, sid: 'SMlost' }, 'delivered'))
  assert.equal((await stateOf(team, lost.body.id)).status, 'delivered')
})

test('a callback that arrives before the answer to its send is not lost', async () => {
  const usual = twilio.answer
  twilio.answer = async (form, response, request) => {
    await post(told({ url: form.StatusCallback!, sid: 'SMearly' }, 'sent'))
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sid: 'SMearly', status: 'queued' }))
    void request
  }
  const { body: sms } = await send()
  twilio.answer = usual
  assert.deepEqual([sms.status, sms.providerMessageId], ['sent', 'SMearly'])
})

test('without Twilio’s token every callback is refused', async () => {
  const other = await createTestApp({ PUBLIC_URL: publicUrl })
  const { path, body, headers } = callback(inboundUrl, { Body: 'STOP' }, '')
  const answer = await other.anyone.post(path, body, headers)
  assert.equal(answer.status, 401)
  assert.match(answer.body.message, /TWILIO_AUTH_TOKEN/)
})

test('the start fails with one line if a setting of Twilio is missing', () => {
  for (const name of ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'])
    assert.throws(() => readConfig({ ...twilio.environment, [name]: '' }), {
      message: `${name} must be set with SMS_PROVIDER=twilio; it was not set.`,
    })
})

test('the log does not contain the token', () => {
  assert.ok(lines.length > 0)
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  for (const secret of [authToken, basic]) assert.ok(!lines.some((line) => line.includes(secret)))
})
