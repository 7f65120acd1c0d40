import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { newNumber, openShop, webhookSecret } from '../fixtures/shop.ts'

const captured = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })

test('messages keep their text and the name of a template that is deleted', async () => {
  const shop = await openShop(captured)
  const template = await shop.template('Hello {{1}}')
  const sent = (await shop.send({ to: newNumber(), templateId: template.id, variables: ['Ada'] })).body
  assert.deepEqual(await ok(shop.api.delete(`/v1/whatsapp/templates/${template.id}`)), {
    id: template.id,
    deleted: true,
  })
  const { templateId, templateName, body } = await shop.message(sent.id)
  assert.deepEqual([templateId, templateName, body], [template.id, template.name, 'Hello Ada'])
  const gone = await shop.send({ to: newNumber(), templateId: template.id, variables: ['Ada'] })
  assert.deepEqual([gone.status, gone.body.name], [422, 'template_not_approved'])
})

test('a disabled template is not sent any more, until it is approved again', async () => {
  const shop = await openShop(captured)
  const { id: templateId, name } = await shop.template('Hello')
  const review = (status: string) =>
    ok(shop.tell({ type: 'template_status', wabaId: shop.wabaId, templateName: name, language: 'en', status }))
  await review('disabled')
  assert.equal((await shop.send({ to: newNumber(), templateId })).status, 422)
  await review('approved')
  assert.equal((await shop.send({ to: newNumber(), templateId })).status, 200)
})
