import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createTestApp, ok } from '../../../test/app.ts'
import { forAllAsync } from '../../../test/for-all.ts'
import { readRows } from '../../../test/pages.ts'
import { slowTest } from '../../../test/slow.ts'
import { newNumber, openShop, webhookSecret } from '../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const shop = await openShop(posthorn)
const template = await shop.template('Hello')

type Told = { message: number; status: 'sent' | 'delivered' | 'read' | 'failed' } | { from: number; at: number }

const told: fc.Arbitrary<Told> = fc.oneof(
  fc.record({ message: fc.nat(2), status: fc.constantFrom('sent', 'delivered', 'read', 'failed') }),
  fc.record({ from: fc.nat(1), at: fc.nat(90_000) }),
)

/** Posts all events, `callLength` in each call, and returns the resulting state. */
async function tellAll(history: Told[], callLength: number) {
  const numbers = [newNumber(), newNumber()]
  const sent = await Promise.all([0, 1, 2].map(() => ok(shop.send({ to: newNumber(), templateId: template.id }))))
  const now = posthorn.clock.now().getTime()
  const events = history.map((event) =>
    'message' in event
      ? { type: 'status', providerMessageId: sent[event.message].providerMessageId, status: event.status }
      : {
          ...{ type: 'message', phoneNumberId: shop.phoneNumberId, from: numbers[event.from], text: `${event.at}` },
          providerMessageId: `${numbers[event.from]}.${event.at}`,
          timestamp: new Date(now - event.at * 1000).toISOString(),
        },
  )
  for (let start = 0; start < events.length; start += callLength) {
    await ok(shop.tell(...events.slice(start, start + callLength)))
  }
  const messages = await Promise.all(sent.map(({ id }) => shop.message(id)))
  const data = await allConversations()
  const conversations = await Promise.all(
    numbers.map(async (number) => {
      const found = data.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === number)
      if (!found) return null
      const { messages } = await ok(shop.api.get(`/v1/whatsapp/conversations/${found.id}`))
      const bodies = messages.map(({ body }: { body: string }) => body).sort()
      return [found.windowOpen, Date.parse(found.windowExpiresAt) - now, found.lastMessagePreview, bodies]
    }),
  )
  return {
    messages: messages.map(({ status, error, events }) => [
      status,
      error,
      events.map(({ type }: { type: string }) => type).sort(),
    ]),
    conversations,
  }
}

const allConversations = () => readRows(shop.api, '/v1/whatsapp/conversations')

slowTest('events in any order, with any repeats, in calls of any size end the same', async () => {
  await forAllAsync(
    25,
    fc.array(told, { maxLength: 10 }),
    fc.array(fc.nat(9), { maxLength: 6 }),
    fc.infiniteStream(fc.nat(1000)),
    fc.integer({ min: 1, max: 16 }),
    async (history, repeats, keys, callLength) => {
      const more = repeats.flatMap((index) => history[index] ?? [])
      const shuffled = [...history, ...more]
        .map((event) => ({ event, key: keys.next().value as number }))
        .sort((left, right) => left.key - right.key)
        .map(({ event }) => event)
      assert.deepEqual(await tellAll(shuffled, callLength), await tellAll(history, 16))
    },
  )
})
