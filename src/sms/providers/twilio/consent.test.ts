import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { reassignNumber } from '../../../phone/assign.ts'
import { resumeSender, suspendSender } from '../../../phone/suspend.ts'
import { ask } from '../../../privacy/fixtures/ask.ts'
import { callback, publicUrl, refuse, startTwilio, type TwilioForm } from './fixtures/twilio.ts'

const twilio = await startTwilio()
const posthorn = await createTestApp(twilio.environment)
const team = await posthorn.team()
const ours = '+61400000001'
const { body: made } = await team.api.post('/v1/sms/senders', {
  ...{ name: 'Shop', senderId: ours, senderType: 'long_code', country: 'AU', defaultMessageType: 'promotional' },
})
await team.api.post(`/v1/sms/senders/${made.id}/verify`)

let numbers = 0
const newNumber = () => `+614000010${String(++numbers).padStart(2, '0')}`
const send = (to: string) => team.api.post('/v1/sms', { senderId: made.id, to, body: 'Hello' })

function write(from: string, fields: TwilioForm) {
  const sid = `SM${from.slice(1)}${fields.OptOutType ?? ''}`
  const call = callback(`${publicUrl}/providers/twilio/sms`, { MessageSid: sid, From: from, To: ours, ...fields })
  return posthorn.anyone.post(call.path, call.body, call.headers)
}

async function isOptedOut(number: string): Promise<boolean> {
  const { data } = (await team.api.get('/v1/sms/opt-outs')).body
  return data.some(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === number)
}

for (const Body of ['NO MORE', 'Baja', '']) {
  test(`what Twilio takes for a word of stop opts out, whatever its text is: ${JSON.stringify(Body)}`, async () => {
    const number = newNumber()
    assert.equal((await write(number, { Body, OptOutType: 'STOP' })).status, 200)
    assert.equal(await isOptedOut(number), true)
    assert.equal((await send(number)).status, 403)
    await write(number, { Body: 'Alta', OptOutType: 'start' })
    assert.equal(await isOptedOut(number), false)
    assert.equal((await send(number)).status, 200)
  })
}

test('a request for help changes nothing', async () => {
  const number = newNumber()
  await write(number, { Body: 'AYUDA', OptOutType: 'HELP' })
  assert.equal(await isOptedOut(number), false)
})

test('a message that Twilio refuses because the person told it to stop leaves an opt-out', async () => {
  const [usual, number] = [twilio.answer, newNumber()]
  twilio.answer = refuse(400, 21610, 'Attempt to send to unsubscribed recipient')
  const { body: sms } = await send(number)
  twilio.answer = usual
  assert.equal(sms.status, 'failed')
  assert.equal(await isOptedOut(number), true)
  assert.equal((await send(number)).status, 403)
})

test('a status with the same refusal leaves an opt-out, unless the person came back after the message', async () => {
  const [gone, back] = [newNumber(), newNumber()]
  const tell = async (url: string, sid: string) => {
    const told = { MessageSid: sid, MessageStatus: 'failed', ErrorCode: '21610' }
    const call = callback(url, told)
    assert.equal((await posthorn.anyone.post(call.path, call.body, call.headers)).status, 200)
  }
  const { body: one } = await send(gone)
  await tell(twilio.sent.at(-1)!.StatusCallback!, one.providerMessageId)
  assert.equal(await isOptedOut(gone), true)
  const { body: other } = await send(back)
  const url = twilio.sent.at(-1)!.StatusCallback!
  posthorn.clock.advance(1000)
  await write(back, { Body: 'START', OptOutType: 'START' })
  await tell(url, other.providerMessageId)
  assert.equal(await isOptedOut(back), false)
})

test('a refusal that is told after the person was erased leaves no opt-out beside the erased one', async () => {
  const number = newNumber()
  const { body: sms } = await send(number)
  const url = twilio.sent.at(-1)!.StatusCallback!
  await ask(team, { type: 'erase', phoneNumber: number })
  await posthorn.runDueJobs()
  const count = async () => (await team.api.get('/v1/sms/opt-outs')).body.data.length
  const before = await count()
  const call = callback(url, { MessageSid: sms.providerMessageId, MessageStatus: 'failed', ErrorCode: '21610' })
  assert.equal((await posthorn.anyone.post(call.path, call.body, call.headers)).status, 200)
  assert.equal(await count(), before)
})

test('a word of stop and of start to a number whose sender is suspended counts when it sends again', async () => {
  const [gone, back, number] = [newNumber(), newNumber(), newNumber()]
  await write(back, { Body: 'STOP' })
  await suspendSender(posthorn.app, 'sms', made.id, null)
  await write(gone, { Body: 'STOP' })
  await write(back, { Body: 'START', MessageSid: 'SMback' })
  await resumeSender(posthorn.app, 'sms', made.id)
  await write(number, { Body: 'STOP' })
  await team.api.post(`/v1/sms/senders/${made.id}/verify`)
  assert.deepEqual([(await send(gone)).status, (await send(back)).status, (await send(number)).status], [403, 200, 403])
})

test('a word of stop to a number that moved to another team counts for that team only', async () => {
  const other = await posthorn.team()
  const number = newNumber()
  await reassignNumber(posthorn.app, { channel: 'sms', number: ours }, other.id)
  await write(number, { Body: 'STOP' })
  assert.equal(await isOptedOut(number), false)
  assert.equal((await other.api.get('/v1/sms/opt-outs')).body.data[0].phoneNumber, number)
})
