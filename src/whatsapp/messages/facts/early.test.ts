import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../../test/app.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../../fixtures/shop.ts'
import { applyInboundEvents } from '../../inbound/apply.ts'
import type { OutboundWhatsapp } from '../../provider.ts'

const { provider } = obedientProvider()
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret }, { whatsappProvider: provider })

type Shop = Awaited<ReturnType<typeof openShop>>

/** Sends a message. Statuses that `tell` posts arrive before the provider's answer. */
async function sendWhile(shop: Shop, tell: (message: OutboundWhatsapp) => Promise<unknown>): Promise<string> {
  const template = await shop.template('Hello')
  const accepting = provider.send
  provider.send = async (message) => {
    await tell(message)
    return { kind: 'accepted', providerMessageId: `wamid.${message.messageId}`, data: null }
  }
  const { id } = await ok(shop.send({ to: newNumber(), templateId: template.id }))
  provider.send = accepting
  return id
}

const status = (messageId: string, status: string) => ({
  ...{ type: 'status', providerMessageId: `wamid.${messageId}`, status },
})

test('a status that comes before the answer to the send is not lost', async () => {
  const shop = await openShop(posthorn)
  const id = await sendWhile(shop, async ({ messageId }) => {
    const answer = await ok(shop.tell(status(messageId, 'delivered'), status(messageId, 'delivered')))
    assert.equal(answer.ignored, 2)
  })
  const message = await shop.message(id)
  const types = message.events.map(({ type }: { type: string }) => type)
  assert.deepEqual([message.status, types], ['delivered', ['sent', 'delivered']])
  assert.equal((await ok(shop.tell(status(id, 'delivered')))).duplicates, 1)
  const kept = await posthorn.app.db.selectFrom('whatsapp_early_statuses').select('status').execute()
  assert.deepEqual(kept, [])
})

test("a status that carries our id counts at once, and gives the provider's id", async () => {
  const shop = await openShop(posthorn)
  const id = await sendWhile(shop, async ({ messageId }) => {
    const event = { type: 'status', providerMessageId: `wamid.${messageId}`, messageId, status: 'read' } as const
    assert.equal((await applyInboundEvents(posthorn.app, [event])).processed, 1)
    const { status, providerMessageId, sentAt } = await shop.message(messageId)
    assert.deepEqual([status, providerMessageId], ['read', `wamid.${messageId}`])
    assert.ok(sentAt)
  })
  const message = await shop.message(id)
  assert.deepEqual(
    [message.status, message.events.map(({ type }: { type: string }) => type)],
    ['read', ['read', 'sent']],
  )
})

test('a status that carries our id moves on a message of unknown outcome', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const accepting = provider.send
  provider.send = async () => ({ kind: 'unknown', message: 'the connection was lost' })
  const { id } = await ok(shop.send({ to: newNumber(), templateId: template.id }))
  provider.send = accepting
  const event = { type: 'status', providerMessageId: 'wamid.unknown', messageId: id, status: 'delivered' } as const
  assert.equal((await applyInboundEvents(posthorn.app, [event])).processed, 1)
  const { status, providerMessageId } = await shop.message(id)
  assert.deepEqual([status, providerMessageId], ['delivered', 'wamid.unknown'])
})

test('no status is lost when statuses and the records of their messages come at the same time', async () => {
  const shop = await openShop(posthorn)
  const template = await shop.template('Hello')
  const accepting = provider.send
  const telling: Promise<unknown>[] = []
  provider.send = async ({ messageId }) => {
    for (const one of ['sent', 'delivered', 'read']) telling.push(shop.tell(status(messageId, one)))
    return { kind: 'accepted', providerMessageId: `wamid.${messageId}`, data: null }
  }
  const sent = await Promise.all(
    Array.from({ length: 40 }, () => ok(shop.send({ to: newNumber(), templateId: template.id }))),
  )
  await Promise.all(telling)
  provider.send = accepting
  const statuses = await Promise.all(sent.map(async ({ id }) => (await shop.message(id)).status))
  assert.deepEqual(statuses, Array(40).fill('read'))
})

test('statuses of unknown messages are kept for an hour', async () => {
  const shop = await openShop(posthorn)
  await ok(shop.tell(status('nobodys', 'read')))
  const count = async () =>
    (await posthorn.app.db.selectFrom('whatsapp_early_statuses').select('status').execute()).length
  await posthorn.runDueJobs()
  assert.equal(await count(), 1)
  await posthorn.runDueJobsAfter(3_600_001)
  assert.equal(await count(), 0)
})
