import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../fixtures/shop.ts'

const environment = { WHATSAPP_WEBHOOK_SECRET: webhookSecret }
const posthorn = await createTestApp(environment, { whatsappProvider: obedientProvider().provider })
const captured = await createTestApp(environment)

async function submitted({ api }: TestTeam) {
  const { id } = await ok(api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' }))
  assert.equal((await ok(api.post(`/v1/whatsapp/templates/${id}/submit`))).status, 'submitted')
  return { status: async () => (await ok(api.get(`/v1/whatsapp/templates/${id}`))).status }
}

const approval = (wabaId: string) => {
  return { type: 'template_status', wabaId, templateName: 'welcome', language: 'en', status: 'approved' }
}

test('a review applies to the account that was asked, whichever accounts the senders of a team name', async () => {
  const [shop, stranger] = [await openShop(posthorn), await openShop(posthorn)]
  await ok(stranger.api.post('/v1/whatsapp/senders', { name: 'Mine', phoneNumber: newNumber(), wabaId: shop.wabaId }))
  const [ours, theirs] = [await submitted(shop.team), await submitted(stranger.team)]
  assert.equal((await ok(shop.tell(approval(shop.wabaId)))).processed, 1)
  assert.deepEqual([await ours.status(), await theirs.status()], ['approved', 'submitted'])
  assert.equal((await ok(shop.tell(approval(stranger.wabaId)))).processed, 1)
  assert.equal(await theirs.status(), 'approved')
})

test('templates with capture are in no account: teams can use the same name, and a review applies to all of them', async () => {
  const teams = [await captured.team(), await captured.team()]
  const templates = []
  for (const team of teams) {
    const sender = { name: 'Shop', phoneNumber: newNumber(), wabaId: 'shared' }
    await ok(team.api.post('/v1/whatsapp/senders', sender))
    templates.push(await submitted(team))
  }
  const { tell } = await openShop(captured)
  assert.equal((await ok(tell(approval('shared')))).processed, 1)
  for (const { status } of templates) assert.equal(await status(), 'approved')
})

test('a provider that reviews needs an account; capture accepts every template', async () => {
  const { api } = await posthorn.team()
  const { id } = await ok(api.post('/v1/whatsapp/templates', { name: 'x', body: 'x' }))
  const unreviewed = await api.post(`/v1/whatsapp/templates/${id}/submit`)
  assert.deepEqual([unreviewed.status, unreviewed.body.name], [409, 'conflict'])
  const { status, body } = await api.patch(`/v1/whatsapp/templates/${id}`, { body: 'y' })
  assert.deepEqual([status, body.status], [200, 'draft'])
  const { api: inCapture } = await captured.team()
  const made = await ok(inCapture.post('/v1/whatsapp/templates', { name: 'x', body: 'x' }))
  assert.equal((await ok(inCapture.post(`/v1/whatsapp/templates/${made.id}/submit`))).status, 'submitted')
})
