import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SmsProvider } from '../../src/sms/provider.ts'
import { captureProvider as captureSms } from '../../src/sms/providers/capture.ts'
import type { WhatsappProvider } from '../../src/whatsapp/provider.ts'
import { captureProvider as captureWhatsapp } from '../../src/whatsapp/providers/capture.ts'
import { createTestApp } from '../app.ts'
import { manualClock } from '../clock.ts'
import { pluck } from '../pluck.ts'

/** Providers that are not `capture` and count what is handed to them. */
const handed = { sms: 0, whatsapp: 0, senders: 0 }
const smsProvider: SmsProvider = {
  ...captureSms({ clock: manualClock(), store: async () => void handed.sms++ }),
  name: 'twilio',
}
const whatsapp = captureWhatsapp({ store: async () => void handed.whatsapp++ })
const whatsappProvider: WhatsappProvider = { ...whatsapp, name: 'meta' }
const posthorn = await createTestApp({}, { smsProvider, whatsappProvider })

const to = '+61400000000'

async function withTestKey(options?: Parameters<typeof posthorn.team>[0]) {
  const team = await posthorn.team(options)
  const { body } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  return { team, trial: posthorn.as(body.key) }
}

test('a test key sends a batch of SMS on the plan without any', async () => {
  const { team, trial } = await withTestKey({ plan: 'free' })
  const { body: sender } = await team.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await trial.post(`/v1/sms/senders/${sender.id}/verify`)
  const sms = { to, body: 'Hello', senderId: sender.id }
  const batch = await trial.post('/v1/sms/batch', { messages: [sms, { ...sms, to: '+61400000002' }] })
  assert.deepEqual([batch.status, batch.body.data?.length], [200, 2], batch.text)
})

test('an SMS of a live key reaches the provider, and one of a test key is captured', async () => {
  const { team, trial } = await withTestKey()
  const { body: sender } = await team.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  const sms = { to, body: 'Hello', senderId: sender.id }
  assert.equal((await team.api.post('/v1/sms', sms)).status, 400)
  const sent = await trial.post('/v1/sms', sms)
  assert.deepEqual([sent.status, sent.body.mode, sent.body.status], [200, 'test', 'delivered'], sent.text)
  const batch = await trial.post('/v1/sms/batch', { messages: [sms, { ...sms, to: '+61400000002' }] })
  assert.deepEqual([batch.status, batch.body.data.map(({ mode }: { mode: string }) => mode)], [200, ['test', 'test']])
  await posthorn.runDueJobs()
  assert.equal(handed.sms, 0)
  const tried = await trial.post(`/v1/sms/senders/${sender.id}/verify`)
  assert.deepEqual([tried.status, tried.body.status], [200, 'active'], tried.text)
  assert.equal((await team.api.get(`/v1/sms/senders/${sender.id}`)).body.status, sender.status)
  await team.api.post(`/v1/sms/senders/${sender.id}/verify`)
  const live = await team.api.post('/v1/sms', sms)
  assert.deepEqual([live.status, live.body.mode, handed.sms], [200, 'live', 1], live.text)
  const mine = await trial.get('/v1/sms')
  assert.deepEqual(new Set(mine.body.data.map(({ mode }: { mode: string }) => mode)), new Set(['test']))
  assert.equal(mine.body.data.length, 3)
  assert.equal((await trial.get(`/v1/sms?senderId=${sender.id}`)).body.data.length, 3)
  assert.equal((await trial.get('/v1/inbox/sms')).body.data.length, 3)
  assert.deepEqual(pluck((await team.api.get('/v1/sms')).body.data, 'id'), [live.body.id])
  assert.equal((await team.api.get('/v1/inbox/sms')).body.data.length, 0)
  for (const [api, id] of [
    [team.api, sent.body.id],
    [trial, live.body.id],
  ] as const) {
    assert.equal((await api.get(`/v1/sms/${id}`)).status, 404)
    assert.equal((await api.get(`/v1/sms/${id}/events`)).status, 404)
  }
})

test('a test SMS costs nothing and counts against no limit', async () => {
  const { team, trial } = await withTestKey({ limits: { dailySmsLimit: 1 } })
  const { body: sender } = await team.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await team.api.post(`/v1/sms/senders/${sender.id}/verify`)
  const sms = { to, body: 'Hello', senderId: sender.id }
  const usage = async () => (await team.api.get('/v1/billing/usage')).text
  const before = await usage()
  for (let sent = 0; sent < 3; sent++) assert.equal((await trial.post('/v1/sms', sms)).status, 200)
  assert.equal((await trial.post('/v1/sms', { ...sms, to: '+61400000001' })).body.status, 'failed')
  assert.equal(await usage(), before)
  const rows = await posthorn.app.db.selectFrom('sms_ledger').select('kind').where('kind', '!=', 'grant').execute()
  const charged = rows.length
  assert.equal((await team.api.post('/v1/sms', sms)).status, 200)
  assert.equal((await team.api.post('/v1/sms', sms)).status, 429)
  const after = await posthorn.app.db.selectFrom('sms_ledger').select('kind').where('kind', '!=', 'grant').execute()
  assert.equal(after.length, charged + 1)
})

test('no message is simulated in live mode while a provider reports real ones', async () => {
  const { team, trial } = await withTestKey()
  const { body: blocked } = await team.api.post('/v1/sms/opt-outs', { phoneNumber: to })
  const start = { from: to, to: 'Shop', body: 'START' }
  for (const api of [team.api, (await team.member('owner')).api]) {
    const refused = await api.post('/providers/capture/sms', start)
    assert.equal(refused.status, 403, refused.text)
    assert.match(
      refused.body.message,
      /^SMS_PROVIDER is .* Simulate with a test key, or sign in and add \?mode=test\.$/,
    )
  }
  assert.equal((await team.api.get(`/v1/sms/opt-outs/${blocked.id}`)).status, 200)
  assert.equal((await trial.post('/providers/capture/sms', start)).status, 200)
  assert.equal((await team.api.get('/v1/sms/opt-outs')).body.data.length, 1)
})

test('a number that opts out in test mode is still reached by live keys', async () => {
  const { team, trial } = await withTestKey()
  const { body: sender } = await team.api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await team.api.post(`/v1/sms/senders/${sender.id}/verify`)
  await trial.post('/providers/capture/sms', { from: to, to: '+61411111111', body: 'STOP' })
  const sms = { to, body: 'Hello', senderId: sender.id }
  assert.equal((await trial.post('/v1/sms', sms)).status, 403)
  assert.equal((await team.api.post('/v1/sms', sms)).status, 200)
  const { id } = (await trial.get('/v1/sms/opt-outs')).body.data[0]
  assert.equal((await team.api.get(`/v1/sms/opt-outs/${id}`)).status, 404)
  assert.equal((await team.api.get('/v1/sms/opt-outs')).body.data.length, 0)
})

test('a WhatsApp message of a live key reaches the provider, and one of a test key is captured', async () => {
  const { team, trial } = await withTestKey()
  const { body: template } = await team.api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello {{1}}' })
  const number = { phoneNumber: '+447700900123', wabaId: 'waba', phoneNumberId: 'phone' }
  const { body: sender } = await team.api.post('/v1/whatsapp/senders', { name: 'Shop', ...number })
  const message = { senderId: sender.id, to: '+447700900456', templateId: template.id, variables: ['Ada'] }
  const sent = await trial.post('/v1/whatsapp/messages', message)
  assert.deepEqual([sent.status, sent.body.mode, sent.body.body], [200, 'test', 'Hello Ada'], sent.text)
  assert.equal((await trial.post('/v1/whatsapp/messages', message)).body.conversationId, sent.body.conversationId)
  for (const [path, status, before] of [
    [`senders/${sender.id}`, 'active', sender.status],
    [`templates/${template.id}`, 'submitted', template.status],
  ]) {
    const tried = await trial.post(`/v1/whatsapp/${path}/${status === 'active' ? 'verify' : 'submit'}`)
    assert.deepEqual([tried.status, tried.body.status], [200, status], tried.text)
    assert.equal((await team.api.get(`/v1/whatsapp/${path}`)).body.status, before)
  }
  await posthorn.runDueJobs()
  assert.equal(handed.whatsapp, 0)
  assert.equal((await trial.get('/v1/inbox/whatsapp')).body.data.length, 2)
  assert.equal((await team.api.get('/v1/inbox/whatsapp')).body.data.length, 0)
  assert.equal((await team.api.get('/v1/whatsapp/messages')).body.data.length, 0)
  const paths = [`messages/${sent.body.id}`, `conversations/${sent.body.conversationId}`]
  for (const path of paths) {
    assert.equal((await trial.get(`/v1/whatsapp/${path}`)).status, 200)
    assert.equal((await team.api.get(`/v1/whatsapp/${path}`)).status, 404)
  }
  assert.equal((await team.api.get(`/v1/whatsapp/senders`)).body.data.length, 1)
  await team.api.post(`/v1/whatsapp/senders/${sender.id}/verify`)
  await posthorn.app.db.updateTable('whatsapp_templates').set({ status: 'approved' }).execute()
  const live = await team.api.post('/v1/whatsapp/messages', message)
  assert.deepEqual([live.status, live.body.mode, handed.whatsapp], [200, 'live', 1], live.text)
  assert.equal((await trial.get(`/v1/whatsapp/messages/${live.body.id}`)).status, 404)
})

test('with a test key, customers write to a sender of the team in test conversations only', async () => {
  const { team, trial } = await withTestKey()
  const before = handed.whatsapp
  const number = { phoneNumber: '+447700900777', wabaId: 'waba-777', phoneNumberId: 'phone-777' }
  const { body: sender } = await team.api.post('/v1/whatsapp/senders', { name: 'Shop', ...number })
  const template = { type: 'template_status', wabaId: 'waba-777', templateName: 'news', language: 'en' }
  const events = [
    { type: 'message', phoneNumberId: 'phone-777', from: '+447700900778', text: 'Hello?', providerMessageId: 'in.1' },
    { ...template, status: 'approved' },
  ]
  const path = '/providers/capture/whatsapp'
  const told = await trial.post(path, { events })
  assert.deepEqual([told.status, told.body.processed, told.body.ignored], [200, 1, 1], told.text)
  assert.equal((await trial.post(path, { events })).body.duplicates, 1)
  const { body: page } = await trial.get('/v1/whatsapp/conversations')
  assert.equal(page.data.length, 1)
  const reply = await trial.post(`/v1/whatsapp/conversations/${page.data[0].id}/reply`, { body: 'Yes.' })
  assert.deepEqual([reply.status, reply.body.mode], [200, 'test'], reply.text)
  const { body: row } = await trial.get(`/v1/whatsapp/messages/${reply.body.id}`)
  const read = { type: 'status', providerMessageId: row.providerMessageId, status: 'read' }
  assert.equal((await trial.post(path, { events: [read] })).body.processed, 1)
  const live = await team.api.post(path, { events })
  assert.equal(live.status, 403, live.text)
  assert.match(live.body.message, /^WHATSAPP_PROVIDER is .*, so live events come from it alone\./)
  for (const list of ['/v1/whatsapp/conversations', '/v1/inbox/whatsapp', '/v1/inbox/threads'])
    assert.equal((await team.api.get(list)).body.data.length, 0, list)
  assert.equal((await trial.get('/v1/inbox/whatsapp')).body.data.length, 1)
  assert.equal(handed.whatsapp, before)
  assert.equal((await team.api.get(`/v1/whatsapp/senders/${sender.id}`)).body.status, sender.status)
  const stranger = await withTestKey()
  assert.equal((await stranger.trial.post(path, { events })).body.ignored, 2)
})
