import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { trialOf } from '../../phone/fixtures/trial.ts'
import { listen } from '../../platform/egress/fixtures/loopback.ts'
import type { OutboundSms, SmsSenderRegistration } from '../provider.ts'
import { accountSid, answerJson, authToken, publicUrl, refuse, startTwilio } from './twilio/fixtures/twilio.ts'
import { twilio as declared, type TwilioOptions, twilioProvider } from './twilio.ts'

const twilio = await startTwilio()
const now = new Date('2030-06-15T12:00:00.000Z')
const message: OutboundSms = {
  teamId: '01890a5d-ac96-774b-bcce-b302099a8057',
  messageId: '01890a5d-ac96-774b-bcce-b302099a8058',
  from: '+61400000001',
  senderType: 'long_code',
  providerRef: 'PN1',
  to: '+61400000009',
  body: 'Grüße & more = 100%',
  messageType: 'transactional',
}

const { withProvider, send, sendWith, ...trial } = trialOf(message, {
  peer: twilio,
  count: () => twilio.asked.length,
  open: (log, options?: Partial<TwilioOptions>) =>
    twilioProvider({
      ...{ accountSid, authToken, apiBase: twilio.url, messagingServiceSid: null, log },
      callbackUrl: `${publicUrl}/providers/twilio/sms`,
      now: () => now,
      ...options,
    }),
})

test('a message is handed over once, as a form, with the address for its statuses', async () => {
  const { result, asked } = await send({ messagingServiceSid: 'MG1' })
  assert.equal(result.kind, 'accepted')
  assert.equal(asked, 1)
  assert.deepEqual(twilio.sent.at(-1), {
    To: '+61400000009',
    From: '+61400000001',
    Body: 'Grüße & more = 100%',
    MessagingServiceSid: 'MG1',
    StatusCallback: `${publicUrl}/providers/twilio/sms?message=${message.messageId}`,
  })
  assert(result.kind === 'accepted')
  assert.match(result.providerMessageId, /^SM\d{32}$/)
  const [fact, ...more] = result.facts
  assert.deepEqual([fact?.type, fact?.messageId, fact?.at, more], ['queued', message.messageId, now, []])
})

test('without a public address Twilio is not asked for statuses', async () => {
  await send({ callbackUrl: null })
  assert.deepEqual(Object.keys(twilio.sent.at(-1)!).sort(), ['Body', 'From', 'To'])
  assert.match(declared.warn!({ publicUrl: null })!, /^PUBLIC_URL is not set/)
  assert.equal(declared.warn!({ publicUrl }), null)
})

test('a refusal of Twilio is permanent and has Twilio’s words and error number', async () => {
  for (const [code, words] of [
    [21211, "The 'To' number +1 is not a valid phone number."],
    [21610, 'Attempt to send to unsubscribed recipient'],
    [21408, 'Permission to send an SMS has not been enabled for the region'],
  ] as const) {
    const { result, asked, lines } = await sendWith(refuse(400, code, words))
    assert(result.kind === 'refused')
    assert.equal(result.message, `Twilio refused: ${words} (Twilio error ${code}.)`)
    assert.deepEqual(result.data, {
      messageStatus: 'failed',
      messageStatusDescription: words,
      errorCode: String(code),
    })
    assert.deepEqual([asked, lines], [1, []])
  }
})

test('a message that Twilio accepts and fails at once is refused', async () => {
  const { result } = await sendWith((_form, response) =>
    answerJson(response, 201, {
      sid: 'SM1',
      status: 'failed',
      error_code: 30034,
      error_message: 'Unregistered number',
    }),
  )
  assert.equal(result.kind, 'refused')
})

test('nothing was sent if Twilio accepts nothing now or denies access', async () => {
  for (const [status, code] of [
    [429, 20429],
    [400, 21611],
    [401, 20003],
    [403, 20005],
    [404, 20404],
    [503, 20503],
    [302, 0],
  ] as const) {
    const { result, asked } = await sendWith(refuse(status, code, `secret ${authToken}`))
    assert.deepEqual([status, result.kind, asked], [status, 'unavailable', 1])
  }
  const { result, lines } = await send({ authToken: 'a wrong one' })
  assert(result.kind === 'unavailable')
  assert.match(result.message, /TWILIO_AUTH_TOKEN/)
  assert.doesNotMatch(JSON.stringify([result, lines]), /a wrong one/)
})

test('an answer that is not Twilio’s, such as a proxy’s, does not fail the message', () =>
  trial.assertProxyIsPassedOver())

test('Twilio’s words about credentials are not shown', async () => {
  for (const status of [401, 403]) {
    const { result, lines } = await sendWith(refuse(status, 20003, `secret ${authToken}`))
    assert.doesNotMatch(JSON.stringify([result, lines]), /token of tests/)
  }
})

test('a message whose answer is lost may have been sent, and is not repeated', async () => {
  const cut = await sendWith((_form, _response, request) => void request.socket.destroy())
  const reset = await sendWith((_form, _response, request) => void request.socket.resetAndDestroy())
  const garbled = await sendWith((_form, response) => void response.writeHead(201).end('{"sid'))
  const half = await sendWith((_form, response) => {
    response.writeHead(201, { 'content-length': '100' }).write('{')
    response.socket?.end()
  })
  const fault = await sendWith(refuse(500, 20500, 'Internal'))
  const gateway = await sendWith((_form, response) => void response.writeHead(502).end('<html>'))
  trial.assertUnknown([cut, reset, garbled, half, fault, gateway])
})

slowTest('a message whose answer does not come in time may have been sent', async () => {
  trial.assertUnknown([await sendWith(() => undefined, { timeoutMs: 1500 })])
})

test('nothing was sent without a connection', async () => {
  const closed = net.createServer()
  const port = await listen(closed)
  await new Promise((resolve) => closed.close(resolve))
  const noTls = await listen(
    net.createServer((socket) => socket.on('data', () => socket.end('no')).on('error', () => 0)),
  )
  for (const apiBase of [`http://127.0.0.1:${port}`, 'http://nowhere.invalid', `https://127.0.0.1:${noTls}`]) {
    const { result } = await send({ apiBase })
    assert.equal(result.kind, 'unavailable', apiBase)
  }
})

test('one line is logged when Twilio begins to fail', async () => {
  const { lines } = await withProvider({ authToken: 'x' }, async (provider) => {
    await provider.send(message)
    await provider.send(message)
  })
  assert.equal(lines.length, 1)
})

test('a call inside a transaction is a bug and throws', () => trial.assertTransactionIsRefused())

function register(sender: Partial<SmsSenderRegistration>, options: Partial<TwilioOptions> = {}) {
  const whole: SmsSenderRegistration = {
    ...{ teamId: message.teamId, senderRowId: message.messageId, name: 'Shop', country: 'AU' },
    ...{ senderId: '+61400000001', senderType: 'long_code', defaultMessageType: 'transactional' },
    ...sender,
  }
  return withProvider(options, (provider) => provider.registerSender(whole)).then(({ result }) => result)
}

test('a number is active if the account has it and it sends text', async () => {
  assert.deepEqual(await register({}), { kind: 'active', providerRef: 'PN1' })
  assert.deepEqual(await register({ senderId: '12345', senderType: 'short_code' }), {
    kind: 'active',
    providerRef: 'SC1',
  })
  for (const sender of [
    { senderId: '+61400000099' },
    // A part of one of the account's numbers.
    { senderId: '+6140000000' },
    { senderId: '+61200000002' },
    { senderId: '1234', senderType: 'short_code' as const },
  ])
    assert.equal((await register(sender)).kind, 'failed', sender.senderId)
})

test('a name is active if the account may use names', async () => {
  const name = { senderId: 'My Shop', senderType: 'alphanumeric_id' as const }
  assert.deepEqual(await register(name), { kind: 'active', providerRef: 'My Shop' })
  twilio.account = { status: 'active', type: 'Trial' }
  assert.equal((await register(name)).kind, 'failed')
  twilio.account = { status: 'suspended', type: 'Full' }
  assert.equal((await register(name)).kind, 'failed')
  twilio.account = { status: 'active', type: 'Full' }
})

test('a registration does not fail while the provider cannot be reached', async () => {
  assert.equal((await register({}, { authToken: 'x' })).kind, 'unavailable')
  assert.equal((await register({}, { apiBase: 'http://nowhere.invalid' })).kind, 'unavailable')
})
