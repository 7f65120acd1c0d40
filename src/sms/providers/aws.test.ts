import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { trialOf } from '../../phone/fixtures/trial.ts'
import { listen } from '../../platform/egress/fixtures/loopback.ts'
import type { OutboundSms, SmsSenderRegistration } from '../provider.ts'
import { answerJson, refuse, startAmazonSms } from './aws/fixtures/amazon-sms.ts'
import { type AwsOptions, awsProvider } from './aws.ts'

const amazon = await startAmazonSms()
const message: OutboundSms = {
  teamId: '01890a5d-ac96-774b-bcce-b302099a8057',
  messageId: '01890a5d-ac96-774b-bcce-b302099a8058',
  from: '+61400000001',
  senderType: 'long_code',
  providerRef: 'phone-61400000001',
  to: '+61400000009',
  body: 'Grüße 😀',
  messageType: 'transactional',
}

const { withProvider, send, sendWith, ...trial } = trialOf(message, {
  peer: amazon,
  count: () => amazon.calls.length,
  open: (log, options?: Partial<AwsOptions>) =>
    awsProvider({
      ...{ region: 'ap-southeast-2', endpoint: amazon.url, configurationSet: 'posthorn', log },
      ...options,
    }),
})

test('a message is handed over once, signed, with our id for its events', async () => {
  const { result, asked } = await send()
  assert.deepEqual([result, asked], [{ kind: 'accepted', providerMessageId: 'aws-1', facts: [] }, 1])
  assert.deepEqual(amazon.calls.at(-1), {
    operation: 'SendTextMessage',
    input: {
      DestinationPhoneNumber: '+61400000009',
      OriginationIdentity: message.providerRef,
      MessageBody: 'Grüße 😀',
      MessageType: 'TRANSACTIONAL',
      Context: { posthorn: message.messageId },
      ConfigurationSetName: 'posthorn',
    },
  })
})

test('interim answers that were not asked for are passed over, and the message is handed over once', async () => {
  const usual = amazon.answer
  const { result, asked } = await sendWith((call, response, request) => {
    response.writeContinue()
    response.writeProcessing()
    return usual(call, response, request)
  })
  assert.deepEqual([result.kind, asked], ['accepted', 1])
})

test('a sender name is sent as a name, since each country has its own resource for it', async () => {
  const name = { from: 'Shop', senderType: 'alphanumeric_id', messageType: 'promotional' } as const
  await send({ configurationSet: null }, name)
  const { input } = amazon.calls.at(-1)!
  assert.deepEqual([input.OriginationIdentity, input.MessageType], ['Shop', 'PROMOTIONAL'])
  assert.equal(input.ConfigurationSetName, undefined)
})

test('a refusal of Amazon is permanent and has Amazon’s words, without the account number', async () => {
  for (const [name, Reason] of [
    ['ConflictException', 'DESTINATION_PHONE_NUMBER_OPTED_OUT'],
    ['ValidationException', 'DESTINATION_COUNTRY_BLOCKED'],
    ['ResourceNotFoundException', undefined],
  ] as const) {
    const Message = `No to arn:aws:sms-voice:ap-southeast-2:123456789012:phone-number/1 today.`
    const { result, asked, lines } = await sendWith(refuse(name, { Reason, Message }))
    assert(result.kind === 'refused', name)
    assert.deepEqual([asked, lines], [1, []])
    assert.match(result.message, /No to a resource today\./)
    assert.equal(result.data?.messageStatus, Reason ?? name)
    assert.equal(result.isOptOut, Reason === 'DESTINATION_PHONE_NUMBER_OPTED_OUT')
    assert.doesNotMatch(JSON.stringify(result), /123456789012/)
  }
})

test('nothing was sent if Amazon accepts nothing now or denies access', async () => {
  for (const answer of [
    refuse('ThrottlingException'),
    refuse('ServiceQuotaExceededException', { Reason: 'MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT' }),
    refuse('AccessDeniedException', { Reason: 'ACCOUNT_DISABLED' }),
    refuse('UnrecognizedClientException'),
    refuse('ExpiredTokenException'),
    refuse('ResourceNotFoundException', { ResourceType: 'configuration-set' }),
    refuse('ServiceUnavailable', {}, 503),
  ]) {
    const { result, asked } = await sendWith(answer)
    assert.deepEqual([result.kind, asked], ['unavailable', 1], JSON.stringify(result))
  }
  const { result, lines } = await sendWith(
    refuse('InvalidSignatureException', { Message: 'The String was secret' }, 403),
  )
  assert.match(JSON.stringify(result), /credentials/)
  assert.doesNotMatch(JSON.stringify([result, lines]), /secret/)
  assert.equal(lines.length, 1)
})

test('an answer that is not Amazon’s, such as a proxy’s, does not fail the message', () =>
  trial.assertProxyIsPassedOver(['<html>', '', '{}']))

test('a refusal counts as an answer, so a later failure is logged again', async () => {
  const usual = amazon.answer
  const { lines } = await withProvider({}, async (provider) => {
    for (const name of ['ThrottlingException', 'ThrottlingException', 'ConflictException', 'ThrottlingException']) {
      amazon.answer = refuse(name)
      await provider.send(message)
    }
  })
  amazon.answer = usual
  assert.equal(lines.length, 2)
})

test('a message whose answer is lost may have been sent, and is not repeated', async () => {
  const cut = await sendWith((_call, _response, request) => void request.socket.destroy())
  const reset = await sendWith((_call, _response, request) => void request.socket.resetAndDestroy())
  const garbled = await sendWith((_call, response) => void response.writeHead(200).end('{"Mess'))
  const nameless = await sendWith((_call, response) => answerJson(response, 200, {}))
  const silent = await sendWith(() => undefined, { timeouts: { totalMs: 300 } })
  const fault = await sendWith(refuse('InternalServerException', {}, 500))
  const gateway = await sendWith((_call, response) => void response.writeHead(502).end('<html>'))
  trial.assertUnknown([cut, reset, garbled, nameless, silent, fault, gateway])
})

test('nothing was sent without a connection', async () => {
  const noTls = await listen(net.createServer((socket) => socket.destroy()))
  for (const endpoint of ['http://127.0.0.1:1', 'http://nowhere.invalid', `https://127.0.0.1:${noTls}`]) {
    const { result } = await send({ endpoint })
    assert.equal(result.kind, 'unavailable', `${endpoint} ${JSON.stringify(result)}`)
  }
})

slowTest('many messages at once are each sent once, over a limited number of connections', async () => {
  const usual = amazon.answer
  let [running, most] = [0, 0]
  amazon.answer = (call, response, request) => {
    most = Math.max(most, ++running)
    setImmediate(() => {
      running--
      usual(call, response, request)
    })
  }
  const { result, asked } = await withProvider({}, (provider) =>
    Promise.all(Array.from({ length: 200 }, () => provider.send(message))),
  )
  amazon.answer = usual
  assert.equal(new Set(result.map((one) => one.kind === 'accepted' && one.providerMessageId)).size, 200)
  assert.equal(asked, 200)
  assert.ok(most <= 64, String(most))
})

test('a call inside a transaction is a bug and throws', () => trial.assertTransactionIsRefused())

function register(sender: Partial<SmsSenderRegistration>, options: Partial<AwsOptions> = {}) {
  const whole: SmsSenderRegistration = {
    ...{ teamId: message.teamId, senderRowId: message.messageId, name: 'Shop', country: 'AU' },
    ...{ senderId: '+61400000001', senderType: 'long_code', defaultMessageType: 'transactional' },
    ...sender,
  }
  return withProvider(options, (provider) => provider.registerSender(whole)).then(({ result }) => result)
}

test('a number is active if the account has it, on any page, and it sends text', async () => {
  for (const senderId of ['+61400000001', '+61400000004']) {
    const providerRef = `phone-${senderId.slice(1)}`
    assert.deepEqual(await register({ senderId }), { kind: 'active', providerRef })
  }
  for (const senderId of ['+61400000002', '+61400000003', '+61400000099'])
    assert.equal((await register({ senderId })).kind, 'failed', senderId)
})

test('a name the account has is used, another is requested, and it fails if its country requires a registration', async () => {
  const name = (senderId: string, country = 'AU') => register({ senderId, country, senderType: 'alphanumeric_id' })
  assert.deepEqual(await name('Known'), { kind: 'active', providerRef: 'Known' })
  assert.deepEqual(await name('Fresh'), { kind: 'active', providerRef: 'Fresh' })
  const { operation, input } = amazon.calls.at(-1)!
  assert.deepEqual([operation, input.MessageTypes], ['RequestSenderId', ['TRANSACTIONAL']])
  const before = amazon.calls.length
  assert.equal((await name('Fresh')).kind, 'active')
  assert.equal(amazon.calls.length, before + 1)
  const refused = await name('Fresh', 'GB')
  assert(refused.kind === 'rejected')
  assert.match(refused.reason, /SENDER_ID_REQUIRES_REGISTRATION/)
  assert.equal((await name('My Shop')).kind, 'failed')
})

test('a registration does not fail while the provider cannot be reached', async () => {
  const usual = amazon.answer
  for (const answer of [refuse('ThrottlingException'), refuse('AccessDeniedException'), () => undefined]) {
    amazon.answer = answer
    assert.equal((await register({}, { timeouts: { totalMs: 300 } })).kind, 'unavailable')
  }
  amazon.answer = usual
  assert.equal((await register({}, { endpoint: 'http://nowhere.invalid' })).kind, 'unavailable')
})
