import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../../test/app.ts'
import { until } from '../../../test/patience.ts'
import { pluck } from '../../../test/pluck.ts'
import { newNumber, openShop, webhookSecret } from '../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const { app } = posthorn
const shop = await openShop(posthorn)
const template = await shop.template('Hello')

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%whatsapp_conversations%'
  `.execute(app.db)
  return rows.length > 0
}

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
  await until(isWaiting)
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
