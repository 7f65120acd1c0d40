import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { trialOf } from '../../phone/fixtures/trial.ts'
import { listen } from '../../platform/egress/fixtures/loopback.ts'
import type { OutboundWhatsapp } from '../provider.ts'
import { accessToken, answerJson, phoneNumberId, refuse, startMeta, wabaId } from './meta/fixtures/meta.ts'
import { type MetaOptions, metaProvider } from './meta.ts'

const meta = await startMeta()
const message: OutboundWhatsapp = {
  teamId: '01890a5d-ac96-774b-bcce-b302099a8057',
  messageId: '01890a5d-ac96-774b-bcce-b302099a8058',
  phoneNumberId,
  wabaId,
  from: '+61491570156',
  to: '+61400000009',
  content: { kind: 'text', body: 'Grüße 😀 https://shop.test' },
}

const { withProvider, send, sendWith, ...trial } = trialOf(message, {
  peer: meta,
  count: () => meta.asked.length,
  open: (log, options?: Partial<MetaOptions>) =>
    metaProvider({
      ...{ accessToken, apiBase: meta.url, apiVersion: 'v23.0', registrationPin: null, log },
      ...options,
    }),
})

const common = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '61400000009',
  biz_opaque_callback_data: message.messageId,
}

test('a text is handed over once, with our id for its statuses', async () => {
  const { result, asked } = await send()
  assert.deepEqual([result, asked], [{ kind: 'accepted', providerMessageId: 'wamid.1', data: null }, 1])
  const text = { preview_url: false, body: 'Grüße 😀 https://shop.test' }
  assert.deepEqual(meta.sent.at(-1), { ...common, type: 'text', text })
})

const template = (more: object) =>
  ({
    ...{ kind: 'template', name: 'order', language: 'en-US', variables: ['Ada', '7'], components: null, body: '' },
    ...more,
  }) as OutboundWhatsapp['content']

test('a template is sent by name and Meta’s language code, with its variables in order', async () => {
  await send({}, { content: template({}) })
  const parameters = ['Ada', '7'].map((text) => ({ type: 'text', text }))
  const components = [{ type: 'body', parameters }]
  const language = { code: 'en_US' }
  assert.deepEqual(meta.sent.at(-1), { ...common, type: 'template', template: { name: 'order', language, components } })
  await send({}, { content: template({ variables: [] }) })
  assert.deepEqual(meta.sent.at(-1).template, { name: 'order', language })
})

test('a one-time password is also in the button', async () => {
  const components = { buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }
  await send({}, { content: template({ variables: ['123456'], components }) })
  const parameters = [{ type: 'text', text: '123456' }]
  assert.deepEqual(meta.sent.at(-1).template.components, [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters },
  ])
})

test('a refusal of Meta is permanent and has Meta’s words and error code', async () => {
  for (const [status, code] of [
    [400, 131030],
    [404, 132001],
    [400, 131047],
    [403, 368],
  ] as const) {
    const error_data = { messaging_product: 'whatsapp', details: 'Not in the allowed list' }
    const { result, asked, lines } = await sendWith(refuse(status, code, 'Refused', { error_data }))
    assert(result.kind === 'refused', String(code))
    assert.deepEqual([asked, lines], [1, []])
    assert.equal(result.message, `WhatsApp refused: (#${code}) Refused: Not in the allowed list (Meta error ${code})`)
    assert.equal(result.data?.code, code)
  }
})

test('nothing was sent if Meta accepts nothing now or denies access', async () => {
  for (const [status, code] of [
    [400, 80007],
    [429, 130429],
    [400, 131056],
    [503, 2],
    [500, 2],
    [500, 131016],
    [401, 190],
    [400, 190],
    [403, 10],
    [403, 200],
    [503, 0],
  ] as const) {
    const { result, asked } = await sendWith(refuse(status, code, 'x'))
    assert.deepEqual([code, result.kind, asked], [code, 'unavailable', 1])
  }
  const { result, lines } = await send({ accessToken: 'EAAanother' })
  assert.match(JSON.stringify(result), /META_ACCESS_TOKEN/)
  assert.doesNotMatch(JSON.stringify([result, lines]), /EAAanother/)
  assert.equal(lines.length, 1)
})

test('an answer that is not Meta’s, such as a proxy’s, does not fail the message', () =>
  trial.assertProxyIsPassedOver())

test('a message whose answer is lost may have been sent, and is not repeated', async () => {
  const cut = await sendWith((_input, _response, request) => void request.socket.destroy())
  const reset = await sendWith((_input, _response, request) => void request.socket.resetAndDestroy())
  const garbled = await sendWith((_input, response) => void response.writeHead(200).end('{"mess'))
  const nameless = await sendWith((_input, response) => answerJson(response, 200, { messages: [] }))
  const fault = await sendWith(refuse(500, 131000, 'Something went wrong'))
  const gateway = await sendWith((_input, response) => void response.writeHead(502).end('<html>'))
  const mishap = await sendWith(refuse(400, 1, 'An unknown error occurred'))
  trial.assertUnknown([cut, reset, garbled, nameless, fault, gateway, mishap])
})

slowTest('a message whose answer does not come in time may have been sent', async () => {
  trial.assertUnknown([await sendWith(() => undefined, { timeoutMs: 1500 })])
})

test('nothing was sent without a connection', async () => {
  const noTls = await listen(net.createServer((socket) => socket.destroy()))
  for (const apiBase of ['http://127.0.0.1:1', 'http://nowhere.invalid', `https://127.0.0.1:${noTls}`]) {
    const { result } = await send({ apiBase })
    assert.equal(result.kind, 'unavailable', apiBase)
  }
})

test('an id that a team wrote cannot change the path of a request', async () => {
  for (const id of ['../debug_token?x=', '..', `${phoneNumberId}/messages#`, 'a b']) {
    const { result } = await send({}, { phoneNumberId: id })
    assert.equal(result.kind, 'refused', id)
    const path = meta.asked.at(-1)!.replace('POST ', '')
    assert.match(path, /^\/v23\.0\/[^/]+\/messages$/, path)
  }
})

test('a call inside a transaction is a bug and throws', () => trial.assertTransactionIsRefused())

function register(more: object = {}, options: Partial<MetaOptions> = {}) {
  const sender = { teamId: message.teamId, phoneNumberId, wabaId, phoneNumber: '+61491570156', displayName: null }
  return withProvider(options, (provider) => provider.registerSender({ ...sender, ...more })).then(
    ({ result }) => result,
  )
}

test('a sender is active if its account has the number, and it is connected and the sender’s own', async () => {
  assert.deepEqual(await register(), { kind: 'active' })
  const others = [{ phoneNumberId: '1' }, { phoneNumber: '+61491570157' }, { phoneNumberId: '2' }, { wabaId: '3' }]
  for (const more of others) {
    const answer = await register(more)
    assert.equal(answer.kind, 'failed', JSON.stringify(more))
    assert.doesNotMatch(JSON.stringify(answer), /570 ?156|555/)
  }
})

test('a number that WhatsApp rejected is rejected, and an unconnected one fails unless a PIN registers it', async () => {
  const number = meta.numbers[1]!
  for (const [state, kind] of [
    [{ status: 'BANNED' }, 'rejected'],
    [{ name_status: 'DECLINED' }, 'rejected'],
    [{ status: 'PENDING' }, 'failed'],
    [{ status: 'FLAGGED' }, 'active'],
  ] as const) {
    meta.numbers[1] = { ...number, ...state }
    assert.equal((await register()).kind, kind)
  }
  meta.numbers[1] = { ...number, status: 'PENDING' }
  assert.deepEqual(await register({}, { registrationPin: '123456' }), { kind: 'active' })
  assert.deepEqual(meta.registered, [{ messaging_product: 'whatsapp', pin: '123456' }])
  meta.numbers[1] = number
})

test('a registration does not fail while the provider cannot be reached', async () => {
  assert.equal((await register({}, { accessToken: 'x' })).kind, 'unavailable')
  assert.equal((await register({}, { apiBase: 'http://nowhere.invalid' })).kind, 'unavailable')
})
