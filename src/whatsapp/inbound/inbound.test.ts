import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { newNumber, openShop, signatureOf, webhookSecret } from '../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const path = '/v1/whatsapp/webhooks/inbound'
const hourMs = 3_600_000

async function sentMessage(shop: Awaited<ReturnType<typeof openShop>>) {
  const template = await shop.template('Hello')
  const { id, providerMessageId } = await ok(shop.send({ to: newNumber(), templateId: template.id }))
  const status = (status: string, more: object = {}) => ({ type: 'status', providerMessageId, status, ...more })
  const read = async () => {
    const message = await shop.message(id)
    return { ...message, types: message.events.map(({ type }: { type: string }) => type) }
  }
  return {
    id,
    providerMessageId,
    status,
    read,
    tell: (...all: string[]) => ok(shop.tell(...all.map((one) => status(one)))),
  }
}

const counts = (received: number, processed: number, duplicates: number, ignored: number) => {
  return { received, processed, duplicates, ignored }
}

test('a call that is not signed with the secret is 401, and changes nothing', async () => {
  const shop = await openShop(posthorn)
  const body = JSON.stringify({
    events: [
      { type: 'message', phoneNumberId: shop.phoneNumberId, from: newNumber(), text: 'Hi', providerMessageId: 'x' },
    ],
  })
  const good = signatureOf(body)
  const bad = [
    undefined,
    '',
    'sha256=',
    good.slice(0, -1),
    good.slice(7),
    `${good}00`,
    good.replace('sha256', 'sha1'),
    signatureOf(body, 'another secret'),
    signatureOf(`${body} `),
  ]
  for (const signature of bad) {
    const answer = await posthorn.anyone.post(path, body, {
      ...(signature !== undefined && { 'x-signature': signature }),
    })
    assert.deepEqual([answer.status, answer.body.name], [401, 'authentication_error'], String(signature))
  }
  assert.equal((await posthorn.anyone.post(path)).status, 401)
  assert.deepEqual((await ok(shop.api.get('/v1/whatsapp/conversations'))).data, [])
  const upper = `sha256=${good.slice(7).toUpperCase()}`
  assert.deepEqual(await ok(posthorn.anyone.post(path, body, { 'x-signature': upper })), counts(1, 1, 0, 0))
})

test('a body of another shape is 400 naming the field, and changes nothing', async () => {
  const shop = await openShop(posthorn)
  const message = { type: 'message', phoneNumberId: shop.phoneNumberId, from: newNumber(), text: 'Hi' }
  const status = { type: 'status', providerMessageId: 'x', status: 'read' }
  const review = { type: 'template_status', wabaId: 'w', templateName: 't', language: 'en', status: 'approved' }
  const good = { ...message, providerMessageId: 'good' }
  const refused: [unknown, string][] = [
    [[], 'body'],
    [{}, 'events'],
    [{ events: {} }, 'events'],
    [{ events: [], more: 1 }, 'more'],
    [{ events: Array(1001).fill(status) }, 'events'],
    [{ events: [good, 5] }, 'events[1]'],
    [{ events: [good, {}] }, 'events[1].type'],
    [{ events: [good, { type: 'constructor' }] }, 'events[1].type'],
    [{ events: [good, message] }, 'events[1].providerMessageId'],
    [{ events: [{ ...good, from: 'ada' }] }, 'events[0].from'],
    [{ events: [{ ...good, text: null }] }, 'events[0].text'],
    [{ events: [{ ...good, timestamp: 'yesterday' }] }, 'events[0].timestamp'],
    [{ events: [{ ...good, body: 'x' }] }, 'events[0].body'],
    [{ events: [good, { ...status, status: 'seen' }] }, 'events[1].status'],
    [{ events: [good, { ...status, providerMessageId: 'x'.repeat(513) }] }, 'events[1].providerMessageId'],
    [{ events: [good, { ...status, messageId: 'x' }] }, 'events[1].messageId'],
    [{ events: [good, { ...review, status: 'paused' }] }, 'events[1].status'],
    [{ events: [good, { ...review, wabaId: '' }] }, 'events[1].wabaId'],
  ]
  for (const [body, field] of refused) {
    const text = JSON.stringify(body)
    const answer = await posthorn.anyone.post(path, text, { 'x-signature': signatureOf(text) })
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, field], text.slice(0, 300))
  }
  for (const text of ['', '{', '"\\u0000"', '{"events":[],"__proto__":1}']) {
    const answer = await posthorn.anyone.post(path, text, { 'x-signature': signatureOf(text) })
    assert.equal(answer.status, 400, text)
  }
  const large = JSON.stringify({ events: [], x: 'x'.repeat(1024 * 1024) })
  assert.equal((await posthorn.anyone.post(path, large, { 'x-signature': signatureOf(large) })).status, 413)
  assert.deepEqual((await ok(shop.api.get('/v1/whatsapp/conversations'))).data, [])
  assert.deepEqual(await ok(shop.tell()), counts(0, 0, 0, 0))
})

test('a message begins a conversation and opens its window for 24 hours', async () => {
  const shop = await openShop(posthorn)
  const from = newNumber()
  const started = posthorn.clock.now()
  await ok(
    shop.tell({
      ...{ type: 'message', phoneNumberId: shop.phoneNumberId, from: from.slice(1), text: 'Hi' },
      ...{ providerMessageId: 'first', contactName: 'Ada' },
    }),
  )
  const [listed] = (await ok(shop.api.get('/v1/whatsapp/conversations'))).data
  const { id, ...conversation } = listed
  assert.deepEqual(conversation, {
    ...{ senderId: shop.senderId, phoneNumber: from, contactName: 'Ada', windowOpen: true },
    windowExpiresAt: new Date(started.getTime() + 24 * hourMs).toISOString(),
    ...{ lastMessageAt: started.toISOString(), lastMessagePreview: 'Hi', createdAt: started.toISOString() },
  })
  posthorn.clock.advance(hourMs)
  await shop.write(from, 'x'.repeat(500))
  const extended = await ok(shop.api.get(`/v1/whatsapp/conversations/${id}`))
  assert.equal(extended.windowExpiresAt, new Date(started.getTime() + 25 * hourMs).toISOString())
  assert.deepEqual([extended.contactName, extended.lastMessagePreview], ['Ada', 'x'.repeat(120)])
  assert.deepEqual(
    extended.messages.map(({ body, providerMessageId }: Record<string, string>) => [body!.length, providerMessageId]),
    [
      [2, 'first'],
      [500, extended.messages[1].providerMessageId],
    ],
  )
})

test('a repeated message changes neither the thread nor the window', async () => {
  const shop = await openShop(posthorn)
  const event = {
    type: 'message',
    phoneNumberId: shop.phoneNumberId,
    from: newNumber(),
    text: 'Hi',
    providerMessageId: 'm',
  }
  assert.deepEqual(await ok(shop.tell(event, event)), counts(2, 1, 1, 0))
  const before = await ok(shop.api.get('/v1/whatsapp/conversations'))
  posthorn.clock.advance(hourMs)
  assert.deepEqual(await ok(shop.tell(event)), counts(1, 0, 1, 0))
  assert.deepEqual(await ok(shop.tell({ ...event, from: newNumber(), text: 'Other' })), counts(1, 0, 1, 0))
  assert.deepEqual(await ok(shop.api.get('/v1/whatsapp/conversations')), before)
  const other = await openShop(posthorn)
  assert.deepEqual(await ok(other.tell({ ...event, phoneNumberId: other.phoneNumberId })), counts(1, 1, 0, 0))
})

test('the same calls at the same time count once', async () => {
  const shop = await openShop(posthorn)
  const message = await sentMessage(shop)
  const events = Array.from({ length: 30 }, (_, n) => {
    const from = `+4477008000${String(n % 5).padStart(2, '0')}`
    return { type: 'message', phoneNumberId: shop.phoneNumberId, from, text: `${n}`, providerMessageId: `same.${n}` }
  })
  const all = [...events, message.status('delivered'), message.status('read')]
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => ok(shop.tell(...(n % 2 ? all : all.toReversed())))),
  )
  const sum = (of: 'processed' | 'duplicates' | 'ignored') => answers.reduce((total, answer) => total + answer[of], 0)
  assert.deepEqual([sum('processed'), sum('duplicates'), sum('ignored')], [32, 7 * 32, 0])
  assert.equal((await ok(shop.api.get('/v1/whatsapp/messages?limit=100'))).data.length, 31)
})

test('a late message opens its window from the time it was written, and a time in the future counts as now', async () => {
  const shop = await openShop(posthorn)
  const now = posthorn.clock.now().getTime()
  const [late, early] = [newNumber(), newNumber()]
  await shop.write(late, 'Late', { timestamp: new Date(now - 23 * hourMs).toISOString() })
  await shop.write(early, 'Early', { timestamp: new Date(now + 23 * hourMs).toISOString() })
  const { data } = await ok(shop.api.get('/v1/whatsapp/conversations'))
  const windows = new Map(data.map((one: Record<string, string>) => [one.phoneNumber, one.windowExpiresAt]))
  assert.equal(windows.get(late), new Date(now + hourMs).toISOString())
  assert.equal(windows.get(early), new Date(now + 24 * hourMs).toISOString())
})

test('statuses move a message forward, each once, and never back', async () => {
  const shop = await openShop(posthorn)
  const message = await sentMessage(shop)
  assert.deepEqual(await message.tell('sent'), counts(1, 0, 1, 0), 'handing over has told that')
  posthorn.clock.advance(1000)
  assert.deepEqual(await message.tell('read'), counts(1, 1, 0, 0), 'read comes without delivered too')
  assert.equal((await message.read()).status, 'read')
  assert.deepEqual(await message.tell('delivered', 'delivered', 'read'), counts(3, 1, 2, 0))
  const { status, types, sentAt, createdAt, error } = await message.read()
  assert.deepEqual([status, types, sentAt, error], ['read', ['sent', 'read', 'delivered'], createdAt, null])
})

test('a failure is final, and says why', async () => {
  const shop = await openShop(posthorn)
  const message = await sentMessage(shop)
  const data = { errors: [{ code: 131049, title: 'Not delivered', message: 'To keep the ecosystem healthy' }] }
  await ok(shop.tell(message.status('failed', { data })))
  assert.deepEqual(await message.tell('delivered'), counts(1, 1, 0, 0))
  const { status, error, events } = await message.read()
  assert.deepEqual([status, error], ['failed', 'To keep the ecosystem healthy'])
  assert.deepEqual(events.find(({ type }: { type: string }) => type === 'failed').data, data)
  const silent = await sentMessage(shop)
  await silent.tell('failed')
  assert.match((await silent.read()).error, /without a reason/)
})

test('unknown numbers, messages and templates are ignored', async () => {
  const shop = await openShop(posthorn)
  const idle = await ok(
    shop.api.post('/v1/whatsapp/senders', {
      name: 'Idle',
      phoneNumber: newNumber(),
      wabaId: 'i',
      phoneNumberId: 'idle',
    }),
  )
  const message = { type: 'message', from: newNumber(), text: 'Hi', providerMessageId: 'x' }
  const answer = await shop.tell(
    { ...message, phoneNumberId: 'nobodys' },
    { ...message, phoneNumberId: idle.phoneNumberId },
    { type: 'status', providerMessageId: 'nobodys', status: 'read' },
    { type: 'template_status', wabaId: shop.wabaId, templateName: 'none', language: 'en', status: 'approved' },
  )
  assert.deepEqual(await ok(Promise.resolve(answer)), counts(4, 0, 0, 4))
  assert.deepEqual((await ok(shop.api.get('/v1/whatsapp/messages'))).data, [])
})

test("a status of a customer's message is ignored", async () => {
  const shop = await openShop(posthorn)
  await shop.write(newNumber(), 'Hi', { providerMessageId: 'from-customer' })
  const answer = await ok(shop.tell({ type: 'status', providerMessageId: 'from-customer', status: 'read' }))
  assert.deepEqual(answer, counts(1, 0, 0, 1))
  assert.equal((await ok(shop.api.get('/v1/whatsapp/messages'))).data[0].status, 'received')
})
