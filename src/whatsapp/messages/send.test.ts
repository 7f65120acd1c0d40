import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { newNumber, openShop, webhookSecret } from '../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const dayMs = 24 * 3_600_000

test('a template is sent with its placeholders filled, and kept in the inbox', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello {{2}}, {{1}} of {{1}} for {{2}}')
  const to = newNumber()
  const sent = await shop.send({ to, templateId: template.id, variables: ['{{2}}$&', 'Ada'] })
  assert.equal(sent.status, 200, sent.text)
  const { id, conversationId, ...message } = sent.body
  const at = posthorn.clock.now().toISOString()
  const body = 'Hello Ada, {{2}}$& of {{2}}$& for Ada'
  assert.deepEqual(message, {
    ...{ senderId: shop.senderId, direction: 'outbound', to, from: shop.number },
    ...{ templateId: template.id, templateName: template.name, variables: ['{{2}}$&', 'Ada'], body },
    ...{ status: 'sent', providerMessageId: `capture.${id}`, error: null, mode: 'live', createdAt: at, sentAt: at },
  })
  const { events, ...read } = await shop.message(id)
  assert.deepEqual(read, sent.body)
  assert.deepEqual(
    events.map(({ id: _id, ...event }: { id: string }) => event),
    [{ type: 'sent', createdAt: at, data: null }],
  )
  const { data } = await ok(shop.api.get('/v1/inbox/whatsapp'))
  assert.equal(data.length, 1)
  const { id: _id, ...kept } = data[0]
  assert.deepEqual(kept, { messageId: id, from: shop.number, to, body, templateName: template.name, createdAt: at })
  const conversation = await ok(shop.api.get(`/v1/whatsapp/conversations/${conversationId}`))
  assert.deepEqual([conversation.windowOpen, conversation.windowExpiresAt], [false, null])
  assert.deepEqual(conversation.messages, [sent.body])
})

test("free text is sent until the end of the window's 24 hours", async () => {
  const shop = await openShop(posthorn)
  const to = newNumber()
  const closed = await shop.send({ to, body: 'Hello' })
  assert.deepEqual([closed.status, closed.body.name], [422, 'no_open_conversation'])
  assert.match(closed.body.message, /no open conversation window.*template/)
  await shop.write(to, 'Hi')
  posthorn.clock.advance(dayMs - 1)
  const sent = await shop.send({ to, body: 'Hello' })
  assert.equal(sent.status, 200, sent.text)
  const { templateId, templateName, variables, body, status } = sent.body
  assert.deepEqual([templateId, templateName, variables, body, status], [null, null, null, 'Hello', 'sent'])
  posthorn.clock.advance(1)
  assert.equal((await shop.send({ to, body: 'Hello' })).status, 422)
  assert.equal((await shop.send({ to: newNumber(), body: 'Hello' })).status, 422, 'a window is of one number')
})

test('an invalid message is refused, and leaves nothing behind', async () => {
  const shop = await openShop(posthorn)
  const other = await openShop(posthorn)
  const template = await shop.template('Hello {{1}}')
  const foreign = await other.template('Hello')
  const draft = await ok(shop.api.post('/v1/whatsapp/templates', { name: 'draft', body: 'x' }))
  const to = newNumber()
  await shop.write(to, 'Hi')
  const idle = await ok(shop.api.post('/v1/whatsapp/senders', { name: 'Idle', phoneNumber: newNumber() }))
  const refused: [object, number, string][] = [
    [{ to }, 400, 'validation_error'],
    [{ to, templateId: template.id, variables: ['a'], body: 'x' }, 400, 'validation_error'],
    [{ to, body: 'x', variables: [] }, 400, 'validation_error'],
    [{ to, body: '' }, 400, 'validation_error'],
    [{ to, body: '𝕏'.repeat(4097) }, 400, 'validation_error'],
    [{ to: '447700900123', body: 'x' }, 400, 'validation_error'],
    [{ to: '+0447700900123', body: 'x' }, 400, 'validation_error'],
    [{ to, text: 'x' }, 400, 'validation_error'],
    [{ to, templateId: template.id }, 400, 'validation_error'],
    [{ to, templateId: template.id, variables: ['a', 'b'] }, 400, 'validation_error'],
    [{ to, templateId: template.id, variables: ['x'.repeat(4096)] }, 400, 'validation_error'],
    [{ to, templateId: draft.id }, 422, 'template_not_approved'],
    [{ to, templateId: unknownId }, 422, 'template_not_approved'],
    [{ to, templateId: foreign.id }, 422, 'template_not_approved'],
    [{ to, body: 'x', senderId: unknownId }, 400, 'sender_not_active'],
    [{ to, body: 'x', senderId: other.senderId }, 400, 'sender_not_active'],
    [{ to, body: 'x', senderId: idle.id }, 400, 'sender_not_active'],
    [{ to: newNumber(), body: 'x' }, 422, 'no_open_conversation'],
  ]
  for (const [message, status, name] of refused) {
    const answer = await shop.send(message, { 'idempotency-key': 'one' })
    assert.deepEqual([answer.status, answer.body.name], [status, name], JSON.stringify(message).slice(0, 200))
  }
  const { data } = await ok(shop.api.get('/v1/whatsapp/messages'))
  assert.deepEqual(pluck(data, 'direction'), ['inbound'])
  assert.equal((await ok(shop.api.get('/v1/whatsapp/conversations'))).data.length, 1)
  const sent = await shop.send({ to, body: '𝕏'.repeat(4096) }, { 'idempotency-key': 'one' })
  assert.equal(sent.status, 200, 'no refusal has burned the key')
})

test('concurrent requests with the same key and body send once and answer with the original message', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const message = { to: newNumber(), templateId: template.id }
  const key = { 'idempotency-key': 'race' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.send(message, key)))
  assert.deepEqual([...new Set(answers.map((answer) => answer.text))].length, 1, answers[0]!.text)
  assert.equal((await ok(shop.api.get('/v1/inbox/whatsapp'))).data.length, 1)
  const other = await shop.send({ ...message, to: newNumber() }, key)
  assert.deepEqual([other.status, other.body.name], [409, 'idempotency_key_reused'])
})

test('the list has both directions, newest first, 50 by default', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const numbers = Array.from({ length: 51 }, newNumber)
  await Promise.all(numbers.map((to) => shop.send({ to, templateId: template.id })))
  await shop.write(numbers[0]!, 'Thanks')
  const { data, ...rest } = await ok(shop.api.get('/v1/whatsapp/messages'))
  assert.deepEqual([data.length, rest.hasMore], [50, true])
  const { direction, status, body, from, to, sentAt, templateId, variables, error } = data[0]
  assert.deepEqual([direction, status, body, from, to], ['inbound', 'received', 'Thanks', numbers[0], shop.number])
  assert.deepEqual([sentAt, templateId, variables, error], [null, null, null, null])
  assert.equal((await ok(shop.api.get('/v1/whatsapp/messages?limit=100'))).data.length, 52)
  for (const limit of ['0', '101', 'x']) {
    assert.equal((await shop.api.get(`/v1/whatsapp/messages?limit=${limit}`)).status, 400, limit)
  }
  assert.equal((await shop.api.get('/v1/whatsapp/messages?cursor=x')).status, 400)
  const older = await ok(shop.api.get(`/v1/whatsapp/messages?cursor=${rest.cursor}`))
  assert.deepEqual([older.data.length, older.hasMore, older.cursor], [2, false, null])
})

test('a sending key sends and reads messages; one restricted to a domain does neither', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const message = { senderId: shop.senderId, to: newNumber(), templateId: template.id }
  const { api } = await shop.team.newKey()
  const { id } = await ok(api.post('/v1/whatsapp/messages', message))
  await ok(api.get('/v1/whatsapp/messages'))
  await ok(api.get(`/v1/whatsapp/messages/${id}`))
  assert.equal((await api.get('/v1/whatsapp/conversations')).status, 403)
  const { domainId } = shop.team
  const { api: scoped } = await shop.team.newKey({ domainId })
  for (const answer of [
    await scoped.post('/v1/whatsapp/messages', message),
    await scoped.get('/v1/whatsapp/messages'),
    await scoped.get(`/v1/whatsapp/messages/${id}`),
  ]) {
    assert.deepEqual([answer.status, answer.body.name], [403, 'authorization_error'])
  }
  const { api: full } = await shop.team.newKey({ domainId, permission: 'full_access' })
  await ok(full.post('/v1/whatsapp/messages', message))
})

test("another team's messages are answered as ones that do not exist", async () => {
  const [shop, other] = [await openShop(posthorn), await openShop(posthorn)]
  const template = await shop.template('Hello')
  const { id } = (await shop.send({ to: newNumber(), templateId: template.id })).body
  const strange = await other.api.get(`/v1/whatsapp/messages/${id}`)
  assert.equal(strange.status, 404)
  assert.deepEqual(strange.body, (await other.api.get(`/v1/whatsapp/messages/${unknownId}`)).body)
  assert.deepEqual((await ok(other.api.get('/v1/whatsapp/messages'))).data, [])
  assert.deepEqual((await ok(other.api.get('/v1/inbox/whatsapp'))).data, [])
})

test('variables that make a text of millions of characters are refused', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('{{1}}'.repeat(819))
  const sent = await shop.send({ to: newNumber(), templateId: template.id, variables: ['x'.repeat(4096)] })
  assert.deepEqual([sent.status, sent.body.name], [400, 'validation_error'])
  assert.match(sent.body.message, /make a text of more than 4096 characters/)
})
