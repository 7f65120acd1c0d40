import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { newNumber, openShop, webhookSecret } from '../../whatsapp/fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })

test('captured messages are paged, searched, and emptied with the inbox; each team has its own', async () => {
  const [shop, other] = [await openShop(posthorn), await openShop(posthorn)]
  const to = newNumber()
  for (const { write, send } of [shop, other]) {
    await write(to, 'Hi')
    for (const body of ['One', 'Two 100%', 'Three']) await ok(send({ to, body }))
  }
  const bodies = (page: { data: { body: string }[] }) => page.data.map(({ body }) => body)
  const first = await ok(shop.api.get('/v1/inbox/whatsapp?limit=2'))
  assert.deepEqual([bodies(first), first.hasMore], [['Three', 'Two 100%'], true])
  const second = await ok(shop.api.get(`/v1/inbox/whatsapp?limit=2&cursor=${first.cursor}`))
  assert.deepEqual([bodies(second), second.hasMore, second.cursor], [['One'], false, null])
  assert.deepEqual(bodies(await ok(shop.api.get('/v1/inbox/whatsapp?search=0%25'))), ['Two 100%'])
  assert.deepEqual(bodies(await ok(shop.api.get(`/v1/inbox/whatsapp?search=${to.slice(1)}`))).length, 3)
  assert.equal((await other.api.get(`/v1/inbox/whatsapp?cursor=${first.cursor}`)).status, 400)
  assert.deepEqual(await ok(shop.api.delete('/v1/inbox')), { deleted: 3 })
  assert.deepEqual(await ok(shop.api.get('/v1/inbox/whatsapp')), { data: [], cursor: null, hasMore: false })
  assert.equal((await ok(other.api.get('/v1/inbox/whatsapp'))).data.length, 3)
})

test('a sending_access key cannot read the inbox', async () => {
  const team = await posthorn.team()
  const { api } = await team.newKey()
  assert.equal((await api.get('/v1/inbox/whatsapp')).status, 403)
})
