import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { newNumber, openShop, webhookSecret } from '../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const dayMs = 24 * 3_600_000

async function conversationWith(shop: Awaited<ReturnType<typeof openShop>>, number: string) {
  const { data } = await ok(shop.api.get('/v1/whatsapp/conversations'))
  return data.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === number)
}

test('a reply goes to the customer of the conversation, until 24 hours have passed', async () => {
  const shop = await openShop(posthorn)
  const number = newNumber()
  await shop.write(number, 'Hi')
  const { id } = await conversationWith(shop, number)
  const reply = () => shop.api.post(`/v1/whatsapp/conversations/${id}/reply`, { body: 'Hello' })
  posthorn.clock.advance(dayMs - 1)
  const sent = await ok(reply())
  assert.deepEqual(
    [sent.to, sent.from, sent.senderId, sent.conversationId, sent.body, sent.status],
    [number, shop.number, shop.senderId, id, 'Hello', 'sent'],
  )
  posthorn.clock.advance(1)
  const late = await reply()
  assert.deepEqual([late.status, late.body.name], [422, 'no_open_conversation'])
  const conversation = await ok(shop.api.get(`/v1/whatsapp/conversations/${id}`))
  assert.equal(conversation.windowOpen, false)
  assert.deepEqual(pluckRows(conversation.messages, 'direction', 'body'), [
    ['inbound', 'Hi'],
    ['outbound', 'Hello'],
  ])
  await shop.write(number, 'Still there?')
  assert.equal((await reply()).status, 200)
})

test('conversations are listed by their last message, of either side', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const numbers = [newNumber(), newNumber(), newNumber()]
  for (const number of numbers) {
    posthorn.clock.advance(1000)
    await shop.write(number, 'Hi')
  }
  const order = async () =>
    (await ok(shop.api.get('/v1/whatsapp/conversations'))).data.map(
      ({ phoneNumber }: { phoneNumber: string }) => phoneNumber,
    )
  assert.deepEqual(await order(), numbers.toReversed())
  posthorn.clock.advance(1000)
  await ok(shop.send({ to: numbers[0], templateId: template.id }))
  assert.deepEqual(await order(), [numbers[0], numbers[2], numbers[1]])
  const { lastMessageAt, lastMessagePreview } = await conversationWith(shop, numbers[0]!)
  assert.deepEqual([lastMessageAt, lastMessagePreview], [posthorn.clock.now().toISOString(), 'Hello'])
})

test('a thread has the newest thousand messages, oldest first', async () => {
  const shop = await openShop(posthorn)
  const from = newNumber()
  for (const part of [0, 505]) {
    const events = Array.from({ length: 505 }, (_, n) => ({
      ...{ type: 'message', phoneNumberId: shop.phoneNumberId, from },
      ...{ text: `${part + n}`, providerMessageId: `thread.${part + n}` },
    }))
    await ok(shop.tell(...events))
  }
  const { id, lastMessagePreview } = await conversationWith(shop, from)
  const { messages } = await ok(shop.api.get(`/v1/whatsapp/conversations/${id}`))
  const bodies = messages.map(({ body }: { body: string }) => body)
  assert.deepEqual(
    bodies,
    Array.from({ length: 1000 }, (_, n) => `${n + 10}`),
  )
  assert.equal(lastMessagePreview, '1009')
})

test('an invalid reply is refused', async () => {
  const shop = await openShop(posthorn)
  const number = newNumber()
  await shop.write(number, 'Hi')
  const { id } = await conversationWith(shop, number)
  const path = `/v1/whatsapp/conversations/${id}/reply`
  for (const body of [{}, { body: '' }, { body: 'x'.repeat(4097) }, { body: 'x', to: newNumber() }]) {
    assert.equal((await shop.api.post(path, body)).status, 400, JSON.stringify(body).slice(0, 100))
  }
  await ok(shop.api.patch(`/v1/whatsapp/senders/${shop.senderId}`, { wabaId: 'another' }))
  const inactive = await shop.api.post(path, { body: 'Hello' })
  assert.deepEqual([inactive.status, inactive.body.name], [400, 'sender_not_active'])
})

test("another team's conversation is answered as one that does not exist", async () => {
  const shop = await openShop(posthorn)
  const number = newNumber()
  await shop.write(number, 'Hi')
  const { id } = await conversationWith(shop, number)
  const { api } = await posthorn.team()
  const path = `/v1/whatsapp/conversations/${id}`
  const nobodys = await api.get(`/v1/whatsapp/conversations/${unknownId}`)
  assert.deepEqual([nobodys.status, (await api.get(path)).body], [404, nobodys.body])
  assert.equal((await api.post(`${path}/reply`, { body: 'Mine' })).status, 404)
  assert.deepEqual((await ok(api.get('/v1/whatsapp/conversations'))).data, [])
})
