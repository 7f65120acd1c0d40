import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { type Api, createTestApp, type TestTeam } from '../app.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const team = await posthorn.team()
const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
const trial = posthorn.as(key.key)

/** Configuration that both modes share. */
async function makeShared({ api }: TestTeam) {
  const { body: sms } = await api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await api.post(`/v1/sms/senders/${sms.id}/verify`)
  const { body: template } = await api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' })
  const number = { phoneNumber: '+447700900123', wabaId: 'waba', phoneNumberId: 'phone' }
  const { body: whatsapp } = await api.post('/v1/whatsapp/senders', { name: 'Shop', ...number })
  await api.post(`/v1/whatsapp/senders/${whatsapp.id}/verify`)
  await posthorn.app.db.updateTable('whatsapp_templates').set({ status: 'approved' }).execute()
  return { smsSenderId: sms.id, templateId: template.id, whatsappSenderId: whatsapp.id }
}

const shared = await makeShared(team)

/** Makes one of each resource that exists in each mode, and returns the ids by noun. */
async function makeOwn(api: Api): Promise<Record<string, string>> {
  const from = `a@${team.domain}`
  const scheduledAt = '2031-01-01T00:00:00Z'
  const email = { from, to: ['ada@people.test'], subject: 'Hello', text: 'x' }
  const { body: sent } = await api.post('/v1/emails', { ...email, scheduledAt })
  await api.post('/v1/emails', email)
  const { body: sms } = await api.post('/v1/sms', { to: '+61400000000', body: 'x', senderId: shared.smsSenderId })
  const whatsapp = { senderId: shared.whatsappSenderId, to: '+447700900456', templateId: shared.templateId }
  const { body: message } = await api.post('/v1/whatsapp/messages', whatsapp)
  const { body: segment } = await api.post('/v1/segments', { name: 'All' })
  const broadcast = { name: 'News', from, segmentId: segment.id, subject: 'News' }
  const credential = { name: 'Shop', type: 'bearer', secret: { token: 'a-long-token' } }
  return {
    emails: sent.id,
    inbox: (await api.get('/v1/inbox')).body.data[0].id,
    suppressions: (await api.post('/v1/suppressions', { email: 'gone@people.test' })).body.id,
    sms: sms.id,
    'sms/opt-outs': (await api.post('/v1/sms/opt-outs', { phoneNumber: '+61411111111' })).body.id,
    'whatsapp/messages': message.id,
    'whatsapp/conversations': message.conversationId,
    broadcasts: (await api.post('/v1/broadcasts', broadcast)).body.id,
    contacts: (await api.post('/v1/contacts', { email: 'ada@people.test' })).body.id,
    segments: (await api.post('/v1/segments', { name: 'Some' })).body.id,
    topics: (await api.post('/v1/topics', { name: 'News' })).body.id,
    credentials: (await api.post('/v1/credentials', credential)).body.id,
    workflows: (await api.post('/v1/workflows', { name: 'Welcome' })).body.id,
    templates: await makeTemplate(api),
    webhooks: (await api.post('/v1/webhooks', { endpointUrl: 'https://example.com', events: ['email.sent'] })).body.id,
    'whatsapp/templates': (await api.post('/v1/whatsapp/templates', { name: 'news', body: 'News' })).body.id,
  }
}

async function makeTemplate(api: Api): Promise<string> {
  const { id } = (await api.post('/v1/templates', { name: 'Welcome', text: 'Hello' })).body
  await api.patch(`/v1/templates/${id}`, { status: 'published' })
  return id
}

const bodies: Record<string, object> = {
  emails: { scheduledAt: '2032-01-01T00:00:00Z' },
  broadcasts: { name: 'Mine' },
  contacts: { firstName: 'Mine' },
  segments: { name: 'Mine' },
  topics: { name: 'Mine' },
  workflows: { name: 'Mine' },
  'whatsapp/conversations': { body: 'Mine' },
  templates: { name: 'Mine' },
  webhooks: { status: 'inactive' },
  'whatsapp/templates': { body: 'Mine' },
  'segments/contacts': { contactIds: [unknownId] },
  'topics/contacts': { contactIds: [unknownId] },
  'broadcasts/test': { to: ['a@people.test'] },
  'workflows/executions': {},
  'workflows/rerun': {},
  'webhooks/test': { eventType: 'email.sent' },
  'webhooks/replay': { since: '2026-01-01T00:00:00Z' },
}

/** In test mode also live ones are read, and not changed: see live-rows.test.ts. */
const readInTest = ['workflows', 'templates', 'webhooks', 'whatsapp/templates']

function call(api: Api, { method, path, body }: Route, id: string) {
  const url = path.replace(':id', id).replace(':n', '0').replace(/:\w+/g, unknownId)
  if (method === 'GET') return api.get(url)
  if (method === 'DELETE') return api.delete(url)
  const noun = nounOf(path)
  const payload = body && (bodies[`${noun}/${path.split('/').at(-1)}`] ?? bodies[noun])
  return method === 'PATCH' ? api.patch(url, payload) : api.post(url, payload)
}

function nounOf(path: string): string {
  return path.slice('/v1/'.length, path.indexOf('/:id'))
}

test('an id of the other mode in a path answers as an unknown id', async () => {
  const [live, tried] = [await makeOwn(team.api), await makeOwn(trial)]
  const apart = routes.filter(({ inTest, path }) => inTest === 'apart' && path.includes('/:id'))
  assert.ok(apart.length > 15)
  for (const route of apart) {
    const noun = nounOf(route.path)
    assert.ok(live[noun] && tried[noun], `Make one of ${noun} above, so that its wall is tested.`)
    for (const [api, foreign] of [
      [team.api, tried[noun]],
      [trial, live[noun]],
    ] as const) {
      if (readInTest.includes(noun) && api === trial) continue
      const [others, nobodys] = [await call(api, route, foreign), await call(api, route, unknownId)]
      assert.deepEqual([others.status, others.text], [404, nobodys.text], `${route.method} ${route.path}`)
    }
  }
  for (const [api, ids] of [
    [team.api, live],
    [trial, tried],
  ] as const) {
    for (const [noun, id] of Object.entries(ids)) {
      const { text } = await api.get(`/v1/${noun}`)
      assert.ok(text.includes(id), `${noun}: ${text}`)
    }
  }
})

test('a key may name its own mode wherever it may call, and no other', async () => {
  const plain = routes.filter(
    ({ access, method, path }) =>
      ['send', 'full'].includes(access) && method === 'GET' && !/:|\/(live|stream|requests|lookup)$/.test(path),
  )
  assert.ok(plain.length > 20)
  const withMode = (path: string, mode: string) => team.api.get(`${path}?mode=${mode}`)
  for (const { path } of plain) {
    const { status } = await team.api.get(path)
    assert.equal((await withMode(path, 'live')).status, status, path)
    assert.equal((await withMode(path, 'test')).status, 400, path)
  }
})

test('the list of each mode shows its own alone, and a user names the mode', async () => {
  const lists = routes.filter(
    ({ inTest, method, path }) => inTest === 'apart' && method === 'GET' && !path.includes(':'),
  )
  const isList = (path: string) =>
    !/^\/v1\/(metrics|live|lookup)(\/|$)|\/(count|export|threads|node-types|stream)$/.test(path)
  const isReadInTest = (path: string) => readInTest.some((noun) => path === `/v1/${noun}`)
  for (const { path } of lists.filter(({ path }) => isList(path))) {
    const { data: live } = (await team.api.get(path)).body
    const { data: tried } = (await trial.get(path)).body
    assert.ok(live.length > 0 && tried.length > 0, path)
    const ids = new Set(live.map(({ id }: { id: string }) => id))
    assert.equal(
      tried.some(({ id }: { id: string }) => ids.has(id)),
      isReadInTest(path),
      path,
    )
    assert.equal((await trial.get(`${path}?mode=live`)).status, 400, path)
    assert.equal((await team.api.get(`${path}?mode=test`)).status, 400, path)
  }
})

test('a list that both modes share takes the mode of the caller, and no other of a key', async () => {
  const lists = routes.filter(
    ({ inTest, method, path }) => inTest === 'shared' && method === 'GET' && !path.includes(':'),
  )
  assert.ok(lists.length > 0)
  for (const { path } of lists) {
    const { body: shared } = await team.api.get(path)
    for (const [api, own, other] of [
      [team.api, 'live', 'test'],
      [trial, 'test', 'live'],
    ] as const) {
      assert.deepEqual((await api.get(`${path}?mode=${own}`)).body, shared, path)
      assert.equal((await api.get(`${path}?mode=${other}`)).status, 400, path)
    }
  }
})

/**
 * Configuration that a test key reads, and keys, of which it changes test keys. Each request of a tool at `/mcp` meets
 * the walls itself.
 */
const configuration = /^\/mcp$|^\/v1\/(api-keys|domains|rate-limits|(sms|whatsapp)\/senders)(\/|$)/

test('every other route refuses test keys', async () => {
  const others = routes.filter(({ access, inTest, path }) => {
    return access !== 'public' && inTest !== 'apart' && !configuration.test(path)
  })
  // Those that refuse test keys only, as docs/decisions/api-keys.md says. The others are for signed-in users.
  const refused = others.filter(({ access }) => access !== 'user').map(({ path }) => path)
  assert.deepEqual(
    refused.filter((path) => !path.startsWith('/v1/billing/')),
    ['/v1/metrics/webhooks', '/v1/installation'],
  )
  for (const { method, path } of others) {
    const url = path.replace(/:\w+/g, unknownId)
    const { statusCode, body } = await posthorn.server.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${key.key}`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
    })
    assert.ok(statusCode === 403 || statusCode === 400, `${method} ${path}: ${statusCode} ${body}`)
  }
})
