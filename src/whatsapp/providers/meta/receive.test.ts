import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestApp } from '../../../../test/app.ts'
import { pluckRows } from '../../../../test/pluck.ts'
import { readConfig } from '../../../config.ts'
import {
  accessToken,
  answerJson,
  appSecret,
  change,
  messagesChange,
  phoneNumberId,
  refuse,
  signedCall,
  startMeta,
  verifyToken,
  wabaId,
} from './fixtures/meta.ts'

const meta = await startMeta()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
const posthorn = await createTestApp(meta.environment, { log })
const team = await posthorn.team()
const customer = '61400000009'
const { body: made } = await team.api.post('/v1/whatsapp/senders', {
  ...{ name: 'Shop', phoneNumber: '+61491570156', wabaId, phoneNumberId },
})
const { body: sender } = await team.api.post(`/v1/whatsapp/senders/${made.id}/verify`)
const path = '/providers/meta/whatsapp'

function tell(payload: unknown, call = signedCall(payload)) {
  return posthorn.anyone.post(path, call.body, call.headers)
}

let count = 0
const written = (text: string, more: object = {}) => {
  const timestamp = String(Math.floor(posthorn.clock.now().getTime() / 1000))
  const message = { from: customer, id: `wamid.in.${++count}`, timestamp, type: 'text', text: { body: text }, ...more }
  return messagesChange({ contacts: [{ wa_id: customer, profile: { name: 'Ada' } }], messages: [message] })
}
const status = (sent: { id: string; providerMessageId: string }, name: string, more: object = {}) =>
  messagesChange({
    statuses: [{ id: sent.providerMessageId, status: name, timestamp: '1', recipient_id: customer, ...more }],
  })

async function reply(body: string) {
  return team.api.post('/v1/whatsapp/messages', { senderId: sender.id, to: `+${customer}`, body })
}

async function stateOf(id: string) {
  const { body } = await team.api.get(`/v1/whatsapp/messages/${id}`)
  return { status: body.status, types: body.events.map(({ type }: { type: string }) => type).sort() }
}

test('the webhook is confirmed only to a request with the verify token', async () => {
  assert.equal(sender.status, 'active')
  const ask = (query: Record<string, string>) => posthorn.anyone.get(`${path}?${new URLSearchParams(query)}`)
  const good = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '1158201444' }
  const answer = await ask(good)
  assert.deepEqual([answer.status, answer.text], [200, '1158201444'])
  assert.match(answer.headers['content-type']!, /^text\/plain/)
  const bad: Record<string, string>[] = [
    { ...good, 'hub.verify_token': 'x' },
    { ...good, 'hub.mode': 'x' },
    { 'hub.challenge': '1' },
    {},
  ]
  for (const query of bad) assert.equal((await ask(query)).status, 403)
})

test('a customer writes and is answered, and statuses may come in any order and again', async () => {
  assert.equal((await reply('Too early')).status, 422)
  const payload = written('Hello')
  await Promise.all([tell(payload), tell(payload)])
  const { body: conversations } = await team.api.get('/v1/whatsapp/conversations')
  const [conversation] = conversations.data
  assert.deepEqual(
    [conversations.data.length, conversation.phoneNumber, conversation.contactName, conversation.windowOpen],
    [1, `+${customer}`, 'Ada', true],
  )
  const { body: thread } = await team.api.get(`/v1/whatsapp/conversations/${conversation.id}`)
  assert.deepEqual(pluckRows(thread.messages, 'body', 'status'), [['Hello', 'received']])
  const { status: code, body: sent } = await reply('Good day')
  assert.equal(code, 200)
  assert.equal(meta.sent.at(-1).text.body, 'Good day')
  assert.equal(meta.sent.at(-1).biz_opaque_callback_data, sent.id)
  for (const name of ['read', 'sent', 'read', 'delivered', 'sent']) await tell(status(sent, name))
  assert.deepEqual(await stateOf(sent.id), { status: 'read', types: ['delivered', 'read', 'sent'] })
})

test('a failure reported later has its reason', async () => {
  await tell(written('Hello'))
  const { body: sent } = await reply('Good day')
  const errors = [{ code: 131026, title: 'Message undeliverable', error_data: { details: 'Not on WhatsApp' } }]
  await tell(status(sent, 'failed', { errors }))
  const { body } = await team.api.get(`/v1/whatsapp/messages/${sent.id}`)
  assert.equal(body.status, 'failed')
  assert.match(body.error, /undeliverable|Not on WhatsApp/)
})

test('a call without Meta’s signature changes nothing', async () => {
  await tell(written('Hello'))
  const { body: sent } = await reply('Good day')
  const good = signedCall(status(sent, 'read'))
  const { 'x-hub-signature-256': signature } = good.headers
  for (const call of [
    signedCall(status(sent, 'read'), 'another secret'),
    { ...good, body: `${good.body} ` },
    { ...good, headers: { ...good.headers, 'x-hub-signature-256': signature.replace('sha256=', '') } },
    { ...good, headers: { ...good.headers, 'x-hub-signature-256': '' } },
    { ...good, headers: { 'content-type': 'application/json' } as typeof good.headers },
  ]) {
    const answer = await tell(null, call)
    assert.deepEqual([answer.status, answer.body.name], [401, 'authentication_error'])
  }
  const before = await stateOf(sent.id)
  assert.notEqual(before.status, 'read')
  assert.equal((await tell(null, good)).status, 200)
  assert.equal((await stateOf(sent.id)).status, 'read')
})

test('a signed call that is not JSON is 400, and one without events for us is accepted', async () => {
  for (const body of ['', 'hello', '{"a":', '\ufffd{']) assert.equal((await tell(body)).status, 400, body)
  for (const payload of [{}, [], { entry: [{}] }, change('account_update', { event: 'X' }), messagesChange({})]) {
    const answer = await tell(payload)
    assert.deepEqual([answer.status, answer.body], [200, { received: true }])
  }
  const large = signedCall({ entry: 'x'.repeat(4 * 1024 * 1024) })
  assert.equal((await tell(null, large)).status, 413)
})

test('a call of many long messages, as Meta sends them after an outage, is taken whole', async () => {
  const from = '61400000008'
  const many = Array.from({ length: 150 }, (_, index) => {
    return { from, id: `wamid.many.${index}`, timestamp: '1893456000', type: 'text', text: { body: 'я'.repeat(4096) } }
  })
  assert.equal((await tell(messagesChange({ messages: many }))).status, 200)
  const { body } = await team.api.get('/v1/whatsapp/conversations')
  const conversation = body.data.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === `+${from}`)
  const { body: read } = await team.api.get(`/v1/whatsapp/conversations/${conversation.id}`)
  assert.equal(read.messages.length, 150)
})

test('characters that PostgreSQL does not store do not lose a message', async () => {
  const text = JSON.stringify(written('a-b')).replace('a-b', 'a\\u0000b\\ud800')
  assert.equal((await tell(text)).status, 200)
  const { body } = await team.api.get('/v1/whatsapp/messages?limit=1')
  assert.equal(body.data[0].body, 'a\ufffdb\ufffd')
})

test('a template is submitted, reviewed, and sent with its variables', async () => {
  const draft = { name: 'order', body: 'Hello {{1}}', language: 'en-US' }
  const { body: template } = await team.api.post('/v1/whatsapp/templates', draft)
  const submitted = await team.api.post(`/v1/whatsapp/templates/${template.id}/submit`)
  assert.deepEqual([submitted.body.status, submitted.body.providerRef], ['submitted', '900'])
  const review = { message_template_name: 'order', message_template_language: 'en_US' }
  const told = (event: string, more: object = {}) =>
    tell(change('message_template_status_update', { event, ...review, reason: 'NONE', ...more }))
  const read = async () => (await team.api.get(`/v1/whatsapp/templates/${template.id}`)).body
  await told('REJECTED', { reason: 'PROMOTIONAL' })
  assert.deepEqual([(await read()).status, (await read()).rejectionReason], ['rejected', 'PROMOTIONAL'])
  await team.api.post(`/v1/whatsapp/templates/${template.id}/submit`)
  assert.equal(meta.edited.at(-1)?.id, '900')
  await told('APPROVED')
  assert.equal((await read()).status, 'approved')
  const send = () =>
    team.api.post('/v1/whatsapp/messages', {
      ...{ senderId: sender.id, to: '+61400000010', templateId: template.id, variables: ['Ada'] },
    })
  const { body: sent } = await send()
  assert.equal(sent.body, 'Hello Ada')
  assert.deepEqual(meta.sent.at(-1).template.language, { code: 'en_US' })
  await told('PAUSED')
  assert.equal((await send()).status, 422)
  await told('APPROVED')
  assert.equal((await send()).status, 200)
})

test('a refusal, an unreachable provider and a lost answer are told apart', async () => {
  await tell(written('Hello'))
  const usual = meta.answer
  const before = meta.sent.length
  meta.answer = refuse(400, 131047, 'Re-engagement message')
  const refused = await reply('One')
  assert.deepEqual([refused.status, refused.body.status], [200, 'failed'])
  assert.match(refused.body.error, /Re-engagement/)
  meta.answer = refuse(401, 190, `Malformed access token ${accessToken}`)
  const shut = await reply('Two')
  assert.deepEqual([shut.status, shut.body.name], [502, 'provider_error'])
  meta.answer = (_input, _response, request) => void request.socket.destroy()
  const lost = await reply('Three')
  assert.equal(lost.status, 200)
  assert.deepEqual((await stateOf(lost.body.id)).types, ['outcome_unknown'])
  meta.answer = usual
  await posthorn.runDueJobsAfter(120_000)
  assert.equal(meta.sent.length, before + 3)
  // Meta had received the message: the status contains our id, although we never received Meta's id.
  await tell(
    status({ id: '', providerMessageId: 'wamid.lost' }, 'delivered', { biz_opaque_callback_data: lost.body.id }),
  )
  assert.equal((await stateOf(lost.body.id)).status, 'delivered')
})

test('a status that arrives before the answer to its send is kept', async () => {
  await tell(written('Hello'))
  const usual = meta.answer
  meta.answer = async (input, response) => {
    const sent = { id: input.biz_opaque_callback_data, providerMessageId: 'wamid.early' }
    await tell(status(sent, 'delivered', { biz_opaque_callback_data: sent.id }))
    answerJson(response, 200, { messages: [{ id: 'wamid.early' }] })
  }
  const { body: sent } = await reply('Good day')
  meta.answer = usual
  assert.equal((await stateOf(sent.id)).status, 'delivered')
  assert.equal((await team.api.get(`/v1/whatsapp/messages/${sent.id}`)).body.providerMessageId, 'wamid.early')
})

test('the reason of a failure may be cut off within a character', async () => {
  await tell(written('Hello'))
  const message = `${'x'.repeat(499)}😀`
  const { body: sent } = await reply('Good day')
  assert.equal((await tell(status(sent, 'failed', { errors: [{ code: 131000, message }] }))).status, 200)
  const usual = meta.answer
  meta.answer = refuse(400, 131026, message)
  const { body: refused } = await reply('Good night')
  meta.answer = usual
  for (const { id } of [sent, refused]) {
    const { body } = await team.api.get(`/v1/whatsapp/messages/${id}`)
    assert.equal(body.status, 'failed')
    assert.match(body.error, /xxx/)
  }
})

test('a missing setting of Meta is refused at the start', () => {
  for (const name of ['META_ACCESS_TOKEN', 'META_APP_SECRET', 'META_VERIFY_TOKEN'])
    assert.throws(() => readConfig({ ...meta.environment, [name]: '' }), {
      message: `${name} must be set with WHATSAPP_PROVIDER=meta; it was not set.`,
    })
})

test('the log contains no secret', () => {
  assert.ok(lines.length > 0)
  for (const secret of [accessToken, appSecret, verifyToken]) assert.ok(!lines.some((line) => line.includes(secret)))
})
