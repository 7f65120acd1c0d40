import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../test/app.ts'
import { activeSender, eventTypes } from '../fixtures/sender.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const senderId = await activeSender(team)
const to = '+61400000000'

test('an SMS is answered with exactly the specified fields, and reads back as it was answered', async () => {
  const sent = await ok(team.api.post('/v1/sms', { to, body: 'Your order has shipped.', senderId }))
  const { id, providerMessageId, createdAt, sentAt, ...rest } = sent
  assert.deepEqual(rest, {
    to,
    body: 'Your order has shipped.',
    messageType: 'transactional',
    status: 'delivered',
    segments: 1,
    senderId,
    senderName: 'Shop',
    mode: 'live',
  })
  assert.ok(providerMessageId && createdAt && sentAt)
  assert.deepEqual((await team.api.get(`/v1/sms/${id}`)).body, sent)
})

const fates: [last: string, status: string, events: string[], isCaptured: boolean][] = [
  ['0000', 'delivered', ['delivered', 'sent', 'accepted'], true],
  ['0001', 'failed', ['failed', 'accepted'], false],
  ['0002', 'undelivered', ['undelivered', 'sent', 'accepted'], true],
  ['0003', 'sent', ['sent', 'accepted'], true],
]
for (const [last, status, events, isCaptured] of fates) {
  test(`to a number ending in ${last} it ends as ${status}`, async () => {
    const fresh = await posthorn.team()
    const sent = await fresh.api.post('/v1/sms', {
      to: `+6140000${last}`,
      body: 'Hello',
      senderId: await activeSender(fresh),
    })
    assert.deepEqual([sent.status, sent.body.status], [200, status], sent.text)
    assert.equal(sent.body.sentAt !== null, isCaptured)
    assert.deepEqual(await eventTypes(fresh, sent.body.id), events)
    const { usage } = (await fresh.api.get('/v1/rate-limits')).body
    assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [1, status === 'failed' ? 0 : 0.08])
    assert.equal((await fresh.api.get('/v1/inbox/sms')).body.data.length, isCaptured ? 1 : 0)
  })
}

test('events show what the provider reported', async () => {
  const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId })
  const [delivered, , accepted] = (await team.api.get(`/v1/sms/${sent.body.id}/events`)).body
  assert.deepEqual(Object.keys(delivered), ['id', 'type', 'createdAt', 'data'])
  assert.equal(delivered.data.messageStatus, 'DELIVERED')
  assert.equal(accepted.data, null)
})

test('a batch continues if one of its messages fails, and the failed message is not billed', async () => {
  const fresh = await posthorn.team()
  const sender = await activeSender(fresh)
  const messages = ['+61400000000', '+61400000001', '+12025550123'].map((to) => ({
    to,
    body: 'a'.repeat(161),
    senderId: sender,
  }))
  const sent = await ok(fresh.api.post('/v1/sms/batch', { messages }))
  const summaries = sent.data.map(({ id, ...rest }: { id: string }) => rest)
  const others = { segments: 2, senderName: 'Shop', mode: 'live' }
  assert.deepEqual(summaries, [
    { to: '+61400000000', status: 'delivered', ...others },
    { to: '+61400000001', status: 'failed', ...others },
    { to: '+12025550123', status: 'delivered', ...others },
  ])
  const { usage } = (await fresh.api.get('/v1/rate-limits')).body
  assert.deepEqual([usage.smsSentToday, usage.smsSpendToday], [3, 0.1])
})

test('a message has the type of its request, or else its sender’s', async () => {
  const promotional = await activeSender(team, { senderId: 'Promo', defaultMessageType: 'promotional' })
  for (const messageType of ['transactional', 'promotional', undefined]) {
    const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId: promotional, messageType })
    assert.equal(sent.body.messageType, messageType ?? 'promotional', sent.text)
  }
})

test('a message keeps the name its sender had', async () => {
  const sender = await activeSender(team, { name: 'Old', senderId: 'Renamed' })
  const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId: sender })
  await team.api.patch(`/v1/sms/senders/${sender}`, { name: 'New' })
  assert.equal((await team.api.get(`/v1/sms/${sent.body.id}`)).body.senderName, 'Old')
})

test('a body has 1 to 1600 characters, counted as code points', async () => {
  for (const [body, status] of [
    ['', 400],
    ['😀'.repeat(1600), 200],
    ['😀'.repeat(1601), 400],
    ['a'.repeat(1601), 400],
  ] as const) {
    const sent = await team.api.post('/v1/sms', { to, body, senderId })
    assert.equal(sent.status, status, `${body.length}: ${sent.text}`)
  }
})

for (const wrong of ['61400000000', '+0400000000', '+61 400 000 000', '+123456', '+1234567890123456', 'Ada', '']) {
  test(`"${wrong}" is refused as a number, and a batch names its index`, async () => {
    const single = await team.api.post('/v1/sms', { to: wrong, body: 'Hello', senderId })
    assert.deepEqual([single.status, single.body.errors[0].path], [400, 'to'])
    const messages = [to, wrong].map((to) => ({ to, body: 'Hello', senderId }))
    const batch = await team.api.post('/v1/sms/batch', { messages })
    assert.deepEqual([batch.status, batch.body.errors[0].path], [400, 'messages[1].to'])
  })
}

test('unknown fields are refused', async () => {
  const sent = await team.api.post('/v1/sms', { to, body: 'Hello', senderId, from: 'Shop' })
  assert.deepEqual([sent.status, sent.body.errors[0].path], [400, 'from'])
})

test('a sending key sends and reads messages; a key of one domain has no SMS, unless it is a full_access key', async () => {
  const sending = await team.newKey({ permission: 'sending_access' })
  const ofDomain = await team.newKey({ permission: 'sending_access', domainId: team.domainId })
  const full = await team.newKey({ permission: 'full_access', domainId: team.domainId })
  for (const [{ api }, status] of [
    [sending, 200],
    [ofDomain, 403],
    [full, 200],
  ] as const) {
    const message = { to, body: 'Hello', senderId }
    const sent = await api.post('/v1/sms', message)
    assert.equal(sent.status, status, sent.text)
    assert.equal((await api.post('/v1/sms/batch', { messages: [message] })).status, status)
    const { id } = (await team.api.get('/v1/sms')).body.data[0]
    for (const path of ['', `/${id}`, `/${id}/events`]) assert.equal((await api.get(`/v1/sms${path}`)).status, status)
  }
})

test('repeats with the same Idempotency-Key send once, single or batch; another body is 409', async () => {
  const message = { to, body: 'Once', senderId }
  for (const [path, body, other] of [
    ['/v1/sms', message, { ...message, body: 'Other' }],
    ['/v1/sms/batch', { messages: [message, message] }, { messages: [message] }],
  ] as const) {
    const headers = { 'idempotency-key': `once ${path}` }
    const before = (await team.api.get('/v1/rate-limits')).body.usage.smsSentToday
    const answers = await Promise.all([1, 2, 3, 4].map(() => team.api.post(path, body, headers)))
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, answers[0]!.body])
    const count = (await team.api.get('/v1/rate-limits')).body.usage.smsSentToday - before
    assert.equal(count, path.endsWith('batch') ? 2 : 1)
    const reused = await team.api.post(path, other, headers)
    assert.deepEqual([reused.status, reused.body.name], [409, 'idempotency_key_reused'])
  }
})

test('a refused request leaves its key usable', async () => {
  const fresh = await posthorn.team()
  const { body: sender } = await fresh.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  const message = { to, body: 'Hello', senderId: sender.id }
  const headers = { 'idempotency-key': 'later' }
  assert.equal((await fresh.api.post('/v1/sms', message, headers)).body.name, 'sender_not_active')
  await fresh.api.post(`/v1/sms/senders/${sender.id}/verify`)
  assert.equal((await fresh.api.post('/v1/sms', message, headers)).status, 200)
})

test('the inbox keeps sent messages until it is emptied', async () => {
  const fresh = await posthorn.team()
  const sent = await fresh.api.post('/v1/sms', { to, body: 'Hello Ada', senderId: await activeSender(fresh) })
  const page = (await fresh.api.get('/v1/inbox/sms?search=ada')).body
  const [{ id, ...entry }] = page.data
  const { createdAt } = sent.body
  assert.deepEqual(entry, { messageId: sent.body.id, from: 'Shop', to, body: 'Hello Ada', createdAt })
  assert.deepEqual([page.cursor, page.hasMore], [null, false])
  assert.deepEqual((await fresh.api.get('/v1/inbox/sms?search=nobody')).body.data, [])
  assert.deepEqual((await team.api.get(`/v1/inbox/sms?search=${id}`)).body.data, [])
  assert.deepEqual((await fresh.api.delete('/v1/inbox')).body, { deleted: 1 })
  assert.deepEqual((await fresh.api.get('/v1/inbox/sms')).body.data, [])
})
