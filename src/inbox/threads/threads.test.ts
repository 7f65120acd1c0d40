import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { newNumber, openShop, webhookSecret } from '../../whatsapp/fixtures/shop.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })

test('SMS are shown by number with the replies, newest first, until the inbox is emptied', async () => {
  const { api } = await posthorn.team()
  const { body: sender } = await api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await api.post(`/v1/sms/senders/${sender.id}/verify`)
  for (const to of ['+61491570156', '+61491570157']) {
    assert.equal((await api.post('/v1/sms', { to, body: `To ${to}`, senderId: sender.id })).status, 200)
    posthorn.clock.advance(1000)
  }
  const reply = { from: '+61491570156', to: 'Shop', body: 'Thanks' }
  assert.deepEqual((await api.post('/providers/capture/sms', reply)).body, { received: true, action: null })
  const { body: threads } = await api.get('/v1/inbox/threads')
  assert.deepEqual(pluckRows(threads.data, 'channel', 'phoneNumber', 'preview'), [
    ['sms', '+61491570156', 'Thanks'],
    ['sms', '+61491570157', 'To +61491570157'],
  ])
  const { body: first } = await api.get('/v1/inbox/threads?limit=1')
  const { body: second } = await api.get(`/v1/inbox/threads?limit=1&cursor=${first.cursor}`)
  assert.deepEqual([...first.data, ...second.data], threads.data)
  const path = '/v1/inbox/threads/sms/+61491570156'
  const { body: thread } = await api.get(path)
  assert.deepEqual(pluckRows(thread.data, 'direction', 'from', 'to', 'body'), [
    ['inbound', '+61491570156', 'Shop', 'Thanks'],
    ['outbound', 'Shop', '+61491570156', 'To +61491570156'],
  ])
  assert.equal((await api.get('/v1/inbox/sms')).body.data.length, 2)
  assert.equal((await api.get('/v1/inbox/threads/whatsapp/+61491570156')).status, 404)
  assert.equal((await api.get('/v1/inbox/threads/fax/+61491570156')).status, 400)
  await api.delete('/v1/inbox')
  assert.deepEqual((await api.get('/v1/inbox/threads')).body.data, [])
  assert.equal((await api.get(path)).status, 404)
})

test('the conversations of one channel are listed alone, page by page', async () => {
  const shop = await openShop(posthorn)
  const { body: sender } = await shop.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await shop.api.post(`/v1/sms/senders/${sender.id}/verify`)
  await shop.api.post('/v1/sms', { to: '+61491570156', body: 'By SMS', senderId: sender.id })
  const writers = [newNumber(), newNumber()]
  for (const from of writers) {
    posthorn.clock.advance(1000)
    const message = { type: 'message', phoneNumberId: shop.phoneNumberId, from, text: 'Hi', providerMessageId: from }
    await shop.api.post('/providers/capture/whatsapp', { events: [message] })
  }
  const numbers = async (query: string) =>
    pluckRows((await shop.api.get(`/v1/inbox/threads?${query}`)).body.data, 'channel', 'phoneNumber')
  const ofWhatsapp = writers.toReversed().map((number) => ['whatsapp', number])
  assert.deepEqual(await numbers('channel=sms'), [['sms', '+61491570156']])
  assert.deepEqual(await numbers('channel=whatsapp'), ofWhatsapp)
  const { body: first } = await shop.api.get('/v1/inbox/threads?channel=whatsapp&limit=1')
  assert.deepEqual(await numbers(`channel=whatsapp&limit=1&cursor=${first.cursor}`), ofWhatsapp.slice(1))
  assert.equal((await shop.api.get(`/v1/inbox/threads?limit=1&cursor=${first.cursor}`)).status, 400)
  assert.equal((await shop.api.get('/v1/inbox/threads?channel=fax')).status, 400)
})

test('a person who writes by WhatsApp is simulated for one’s own senders only', async () => {
  const [shop, stranger] = [await openShop(posthorn), await openShop(posthorn)]
  const from = newNumber()
  const message = { type: 'message', phoneNumberId: shop.phoneNumberId, from, text: 'Hi', providerMessageId: 'm1' }
  const events = { events: [message] }
  const refused = await stranger.api.post('/providers/capture/whatsapp', events)
  assert.deepEqual(refused.body, { received: 1, processed: 0, duplicates: 0, ignored: 1 })
  const { status, body } = await shop.api.post('/providers/capture/whatsapp', events)
  assert.deepEqual([status, body], [200, { received: 1, processed: 1, duplicates: 0, ignored: 0 }])
  assert.equal((await shop.api.post('/providers/capture/whatsapp', events)).body.duplicates, 1)
  const { body: thread } = await shop.api.get(`/v1/inbox/threads/whatsapp/${encodeURIComponent(from)}`)
  assert.deepEqual(pluckRows(thread.data, 'direction', 'body'), [['inbound', 'Hi']])
  assert.equal((await shop.api.get('/v1/whatsapp/conversations')).body.data[0].windowOpen, true)
  assert.equal((await shop.api.post('/providers/capture/whatsapp', { events: [{ type: 'x' }] })).status, 400)
})
