import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { stopRequestLog } from '../platform/request-log/note.ts'

const posthorn = await createTestApp({ REQUEST_LOG: 'on', OUTBOUND_ALLOW: '127.0.0.0/8' })
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const nothing = { found: null }

async function create(api: Api, path: string, body: object): Promise<string> {
  const answer = await api.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body.id
}

async function lookUp(api: Api, id: string) {
  const answer = await ok(api.get(`/v1/lookup?id=${id}`))
  return answer
}

type Made = { kind: string; id: string; name: string; parentId?: string }

/** One of each kind that a test can make by the API, but the logged request. */
async function makeThings({ api, domain, domainId }: TestTeam): Promise<Made[]> {
  const from = `a@${domain}`
  const made = (kind: string, id: string, name: string, parentId?: string) => ({ kind, id, name, parentId })
  const segment = await create(api, '/v1/segments', { name: 'Readers' })
  const broadcast = { name: 'June', from, segmentId: segment, subject: 'News' }
  const workflow = await create(api, '/v1/workflows', { name: 'Hello' })
  await api.patch(`/v1/workflows/${workflow}`, { nodes: [{ id: 'start', type: 'manual' }], connections: [] })
  await api.post(`/v1/workflows/${workflow}/activate`)
  const execution = await create(api, `/v1/workflows/${workflow}/executions`, {})
  const hook = { endpointUrl: 'https://127.0.0.1', events: ['email.sent'] }
  const webhook = await create(api, '/v1/webhooks', hook)
  const delivery = await create(api, `/v1/webhooks/${webhook}/test`, { eventType: 'email.sent' })
  const sender = await create(api, '/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await api.post(`/v1/sms/senders/${sender}/verify`)
  const sms = await create(api, '/v1/sms', { to: '+61400000000', body: 'x', senderId: sender })
  const whatsapp = await makeWhatsapp(api)
  return [
    made('email', await create(api, '/v1/emails', { from, to: ['ada@people.test'], subject: 'Hi', text: 'x' }), 'Hi'),
    made('contact', await create(api, '/v1/contacts', { email: 'ada@people.test' }), 'ada@people.test'),
    made('segment', segment, 'Readers'),
    made('topic', await create(api, '/v1/topics', { name: 'News' }), 'News'),
    made('template', await create(api, '/v1/templates', { name: 'Welcome' }), 'Welcome'),
    made('broadcast', await create(api, '/v1/broadcasts', broadcast), 'June'),
    made('workflow', workflow, 'Hello'),
    made('execution', execution, 'Hello', workflow),
    made('webhook', webhook, hook.endpointUrl),
    made('delivery', delivery, 'email.sent', webhook),
    made('domain', domainId, domain),
    made('sms_sender', sender, 'Shop'),
    made('sms', sms, '+61400000000'),
    ...whatsapp,
  ]
}

async function makeWhatsapp(api: Api): Promise<Made[]> {
  const template = await create(api, '/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' })
  const number = { phoneNumber: '+447700900123', wabaId: 'waba', phoneNumberId: 'phone' }
  const sender = await create(api, '/v1/whatsapp/senders', { name: 'Parcels', ...number })
  await api.post(`/v1/whatsapp/senders/${sender}/verify`)
  await posthorn.app.db.updateTable('whatsapp_templates').set({ status: 'approved' }).execute()
  const sent = await ok(
    api.post('/v1/whatsapp/messages', { senderId: sender, to: '+447700900456', templateId: template }),
  )
  return [
    { kind: 'whatsapp_template', id: template, name: 'welcome' },
    { kind: 'whatsapp_sender', id: sender, name: 'Parcels' },
    { kind: 'whatsapp_message', id: sent.id, name: '+447700900456' },
    { kind: 'whatsapp_conversation', id: sent.conversationId, name: '+447700900456' },
  ]
}

test('an id leads to what it belongs to, and to nothing for another team', async () => {
  const team = await posthorn.team()
  const stranger = (await posthorn.team()).api
  const viewer = (await team.member('viewer')).api
  for (const { kind, id, name, parentId = null } of await makeThings(team)) {
    const expected = { found: { kind, id, parentId, name } }
    assert.deepEqual(await lookUp(team.api, id), expected)
    assert.deepEqual(await lookUp(viewer, id.toUpperCase()), expected)
    assert.deepEqual(await lookUp(stranger, id), nothing, kind)
  }
  assert.deepEqual(await lookUp(team.api, unknownId), nothing)
  assert.equal((await team.api.get('/v1/lookup?id=unknown')).status, 400)
})

test('what one mode sends is not found in the other', async () => {
  const team = await posthorn.team()
  const key = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(key.body.key)
  const user = (await team.member('viewer')).api
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'x' }
  const live = await create(team.api, '/v1/emails', email)
  const tried = await create(trial, '/v1/emails', email)
  assert.deepEqual(await lookUp(trial, live), nothing)
  assert.deepEqual(await lookUp(team.api, tried), nothing)
  assert.deepEqual(await lookUp(user, tried), nothing)
  assert.equal((await lookUp(trial, tried)).found.kind, 'email')
  assert.equal((await user.get(`/v1/lookup?id=${tried}&mode=test`)).body.found.kind, 'email')
  assert.equal((await lookUp(trial, team.domainId)).found.kind, 'domain')
})

test('a test key does not find a broadcast that a person tries with live people', async () => {
  const team = await posthorn.team()
  const key = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const marketer = (await team.member('marketer')).api
  const segmentId = await create(team.api, '/v1/segments', { name: 'Readers' })
  const broadcast = { name: 'June', from: `a@${team.domain}`, segmentId, subject: 'News' }
  const id = await create(marketer, '/v1/broadcasts?mode=test', broadcast)
  assert.deepEqual(await lookUp(posthorn.as(key.body.key), id), nothing)
  const { found } = await ok(marketer.get(`/v1/lookup?id=${id}&mode=test`))
  assert.deepEqual(found, { kind: 'broadcast', id, parentId: null, name: 'June' })
})

test('a request of the log is found by those who may read the log', async () => {
  const team = await posthorn.team()
  const id = (await team.api.get('/v1/domains')).headers['x-request-id']!
  await stopRequestLog(posthorn.app)
  for (const role of ['owner', 'admin', 'developer'] as const) {
    const { found } = await lookUp((await team.member(role)).api, id)
    assert.deepEqual(found, { kind: 'request', id, parentId: null, name: 'GET /v1/domains' })
  }
  for (const role of ['marketer', 'viewer'] as const) {
    assert.deepEqual(await lookUp((await team.member(role)).api, id), nothing, role)
  }
  assert.deepEqual(await lookUp(team.api, id), nothing)
})
