import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../../test/app.ts'
import { newNumber, openShop, webhookSecret } from '../../fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })

test('a team that gives its sender the ids of another team reaches nothing of that team', async () => {
  const shop = await openShop(posthorn)
  const { api } = await posthorn.team()
  const copy = { name: 'Copy', phoneNumber: newNumber(), wabaId: shop.wabaId, phoneNumberId: shop.phoneNumberId }
  await ok(api.post('/v1/whatsapp/senders', copy))
  const draft = await ok(shop.api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' }))
  await ok(shop.api.post(`/v1/whatsapp/templates/${draft.id}/submit`))
  const { id, providerMessageId } = await ok(
    shop.send({ to: newNumber(), templateId: (await shop.template('Hello')).id }),
  )
  const message = { type: 'message', phoneNumberId: shop.phoneNumberId, from: newNumber(), text: 'Hi' }
  const events = [
    { ...message, providerMessageId: 'in.copied' },
    { ...message, providerMessageId },
    { type: 'status', providerMessageId, status: 'failed' },
    { type: 'template_status', wabaId: shop.wabaId, templateName: 'welcome', language: 'en', status: 'rejected' },
  ]
  assert.equal((await ok(api.post('/providers/capture/whatsapp', { events }))).ignored, 4)
  assert.equal((await ok(shop.api.get('/v1/whatsapp/conversations'))).data.length, 1)
  assert.equal((await ok(shop.api.get(`/v1/whatsapp/templates/${draft.id}`))).status, 'submitted')
  assert.notEqual((await shop.message(id)).status, 'failed')
  const own = await ok(shop.api.post('/providers/capture/whatsapp', { events }))
  assert.deepEqual([own.processed, own.ignored], [4, 0])
})

test("a status with the id of a customer's message is ignored", async () => {
  const shop = await openShop(posthorn)
  await shop.write(newNumber(), 'Hi', { providerMessageId: 'in.known' })
  const events = [{ type: 'status', providerMessageId: 'in.known', status: 'read' }]
  assert.equal((await ok(shop.api.post('/providers/capture/whatsapp', { events }))).ignored, 1)
})
