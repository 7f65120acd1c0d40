import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { untilWaiting } from '../../../test/while-locked.ts'
import { newNumber, openShop, webhookSecret } from '../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const { app } = posthorn
const shop = await openShop(posthorn)
const template = await shop.template('Hello')

/** Starts `work` while a conversation is being deleted, as an erasure does, and commits once `work` waits for it. */
async function whileDeleted<T>(id: string, work: () => Promise<T>): Promise<T> {
  const [deleted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deleting = app.transaction(async (tx) => {
    await tx.db.deleteFrom('whatsapp_messages').where('conversation_id', '=', id).execute()
    await tx.db.deleteFrom('whatsapp_conversations').where('id', '=', id).execute()
    deleted.resolve()
    await commit.promise
  })
  await deleted.promise
  const working = work()
  await untilWaiting(app, 1, 'whatsapp_conversations')
  commit.resolve()
  await deleting
  return working
}

async function messagesOf(id: string): Promise<string[]> {
  const { messages } = await ok(shop.api.get(`/v1/whatsapp/conversations/${id}`))
  return pluck(messages, 'body')
}

test('a template to a customer whose conversation is deleted at that moment begins another', async () => {
  const to = newNumber()
  const first = await ok(shop.send({ to, templateId: template.id }))
  const next = await ok(whileDeleted(first.conversationId, () => shop.send({ to, templateId: template.id })))
  assert.notEqual(next.conversationId, first.conversationId)
  assert.deepEqual(await messagesOf(next.conversationId), ['Hello'])
})

test('a message of a customer whose conversation is deleted at that moment begins another', async () => {
  const from = newNumber()
  const first = await ok(shop.send({ to: from, templateId: template.id }))
  const counts = await whileDeleted(first.conversationId, () => shop.write(from, 'Where is it?'))
  assert.equal(counts.processed, 1)
  const reply = await ok(shop.send({ to: from, body: 'On its way' }))
  assert.deepEqual(await messagesOf(reply.conversationId), ['Where is it?', 'On its way'])
})
