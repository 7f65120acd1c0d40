import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { ask } from '../../privacy/fixtures/ask.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../fixtures/shop.ts'

const { provider, sent } = obedientProvider()
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret }, { whatsappProvider: provider })

type Shop = Awaited<ReturnType<typeof openShop>>

async function conversations({ api }: Shop): Promise<[number: string, texts: string[]][]> {
  const { data } = await ok(api.get('/v1/whatsapp/conversations'))
  return Promise.all(
    data.map(async ({ id, phoneNumber }: { id: string; phoneNumber: string }) => {
      const { messages } = await ok(api.get(`/v1/whatsapp/conversations/${id}`))
      return [phoneNumber, messages.map(({ body }: { body: string }) => body)]
    }),
  )
}

const pairs = [
  ['Mexico', '+5215512345678', '+525512345678'],
  ['Argentina', '+5491123456789', '+541123456789'],
  ['Brazil', '+5511987654321', '+551187654321'],
] as const

for (const [country, longer, shorter] of pairs) {
  test(`a customer in ${country} has one conversation, by either form of the number`, async () => {
    for (const [one, other] of [
      [longer, shorter],
      [shorter, longer],
    ]) {
      const shop = await openShop(posthorn)
      await shop.write(one!, 'Where is it?')
      await ok(shop.send({ to: other, body: 'On its way' }))
      assert.equal(sent.at(-1)!.to, other)
      await shop.write(other!, 'Thanks')
      assert.deepEqual(await conversations(shop), [[one, ['Where is it?', 'On its way', 'Thanks']]])
    }
  })
}

test('the two forms in one call begin one conversation', async () => {
  const shop = await openShop(posthorn)
  const [, longer, shorter] = pairs[0]
  const message = (from: string, text: string) => {
    return { type: 'message', phoneNumberId: shop.phoneNumberId, from, text, providerMessageId: text }
  }
  await ok(shop.tell(message(longer, 'one'), message(shorter, 'two')))
  const all = await conversations(shop)
  assert.deepEqual(
    all.map(([, texts]) => texts.toSorted()),
    [['one', 'two']],
  )
})

/** Sends a template to this number, which the provider knows as `customerNumber`. */
async function sendTo(shop: Shop, to: string, customerNumber: string) {
  const template = await shop.template('Hello')
  const usual = provider.send
  provider.send = async (message) =>
    ({ ...(await usual(message)), customerNumber }) as Awaited<ReturnType<typeof usual>>
  const message = await ok(shop.send({ to, templateId: template.id }))
  provider.send = usual
  return message
}

test('the number that the provider gives for a customer is another name of the conversation', async () => {
  const shop = await openShop(posthorn)
  const [given, known] = [newNumber(), newNumber()]
  await sendTo(shop, given, known)
  await shop.write(known, 'Hello yourself')
  await ok(shop.send({ to: given, body: 'How are you?' }))
  await ok(shop.send({ to: known, body: 'Well?' }))
  assert.deepEqual(await conversations(shop), [[given, ['Hello', 'Hello yourself', 'How are you?', 'Well?']]])
})

test('a customer who had written under the other number is answered in that conversation from then on', async () => {
  const shop = await openShop(posthorn)
  const [given, known] = [newNumber(), newNumber()]
  await shop.write(known, 'Anybody there?')
  await sendTo(shop, given, known)
  await ok(shop.send({ to: given, body: 'Yes' }))
  await shop.write(known, 'Good')
  const all = new Map(await conversations(shop))
  assert.deepEqual(all.get(known), ['Anybody there?', 'Yes', 'Good'])
  assert.deepEqual(all.get(given), ['Hello'])
})

slowTest(
  'an erasure finds the conversation by each number of the person, and nothing is sent to any of them',
  async () => {
    const shop = await openShop(posthorn)
    const [, longer, shorter] = pairs[2]
    await shop.write(longer, 'Where is it?')
    const template = await shop.template('Hello')
    await ask(shop.team, { type: 'erase', phoneNumber: shorter })
    await posthorn.runDueJobs()
    assert.deepEqual(await conversations(shop), [])
    const { status, body } = await shop.send({ to: longer, templateId: template.id })
    assert.deepEqual([status, body.name], [422, 'recipient_erased'])
  },
)
