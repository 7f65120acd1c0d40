import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import type { Route } from '../src/platform/http/route.ts'
import { signatureOf, webhookSecret } from '../src/whatsapp/fixtures/shop.ts'
import { type Answer, createTestApp, type TestApp, type TestTeam } from './app.ts'

/** Sessions belong to a person, not to a team; src/auth/sessions/list.test.ts tests their wall. */
const wallsOf = ({ access, path }: Route) => path.startsWith('/v1/') && path.includes('/:id') && access !== 'public'

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })

test('another team’s id in a path answers as an unknown id', async () => {
  const [owner, stranger] = [await posthorn.team(), await posthorn.team()]
  const { body: contact } = await send(owner, 'ada@people.test', { scheduledAt: '2031-01-01T00:00:00Z' })
  const ids: Record<string, string> = {
    'api-keys': (await owner.newKey()).id,
    contacts: (await owner.api.post('/v1/contacts', { email: 'ada@people.test' })).body.id,
    domains: owner.domainId,
    emails: contact.id,
    inbox: (await send(owner, 'ada@people.test')) && (await owner.api.get('/v1/inbox')).body.data[0].id,
    suppressions: (await owner.api.post('/v1/suppressions', { email: 'gone@people.test' })).body.id,
    segments: (await owner.api.post('/v1/segments', { name: 'Customers' })).body.id,
    templates: (await owner.api.post('/v1/templates', { name: 'Welcome' })).body.id,
    topics: (await owner.api.post('/v1/topics', { name: 'News' })).body.id,
    webhooks: (await owner.api.post('/v1/webhooks', { endpointUrl: 'https://shop.test', events: ['email.sent'] })).body
      .id,
  }
  const broadcast = { name: 'News', from: `a@${owner.domain}`, segmentId: ids.segments, subject: 'News' }
  Object.assign(ids, await makeWhatsapp(owner), await makeSms(owner), await makeWorkflow(owner))
  const [ownerUser, strangerUser] = [(await owner.member('owner')).api, (await stranger.member('owner')).api]
  const request = { type: 'export', email: 'ada@people.test' }
  ids['privacy/requests'] = (await ownerUser.post('/v1/privacy/requests', request)).body.id
  const invitation = { email: 'new@people.test', role: 'viewer' }
  ids['team/invitations'] = (await ownerUser.post('/v1/team/invitations', invitation)).body.id
  ids.broadcasts = (await owner.api.post('/v1/broadcasts', broadcast)).body.id
  const changes: Record<string, object> = {
    'api-keys': { name: 'Mine' },
    broadcasts: { name: 'Mine' },
    contacts: { firstName: 'Mine' },
    domains: { openTracking: true },
    emails: { scheduledAt: '2032-01-01T00:00:00Z' },
    segments: { name: 'Mine' },
    'sms/senders': { name: 'Mine' },
    templates: { name: 'Mine' },
    topics: { name: 'Mine' },
    webhooks: { status: 'inactive' },
    workflows: { name: 'Mine' },
    'whatsapp/senders': { name: 'Mine' },
    'whatsapp/templates': { body: 'Mine' },
  }
  const { body: mine } = await stranger.api.post('/v1/contacts', { email: 'mine@people.test' })
  const additions: Record<string, object> = {
    'whatsapp/conversations': { body: 'Mine' },
    broadcasts: { to: ['a@people.test'] },
    segments: { contactIds: [mine.id] },
    topics: { contactIds: [mine.id] },
  }
  const bodies: Record<string, object> = {
    '/v1/webhooks/:id/test': { eventType: 'email.sent' },
    '/v1/webhooks/:id/replay': { since: '2026-01-01T00:00:00Z' },
  }
  for (const { method, path, access } of routes.filter(wallsOf)) {
    const api = access === 'user' ? strangerUser : stranger.api
    const noun = path.slice('/v1/'.length, path.indexOf('/:id'))
    assert.ok(ids[noun], `Make one of ${noun} above, so that its wall is tested.`)
    const call = (id: string) => {
      const url = path.replace(':id', id).replace(':n', '0').replace(/:\w+/, unknownId)
      if (method === 'GET' || method === 'DELETE') return method === 'GET' ? api.get(url) : api.delete(url)
      return method === 'PATCH'
        ? api.patch(url, changes[noun])
        : api.post(url, bodies[path] ?? (/\/(contacts|reply|test)$/.test(path) ? additions[noun] : undefined))
    }
    const [others, nobodys] = [await call(ids[noun]), await call(unknownId)]
    assert.equal(others.status, 404, `${method} ${path}: ${others.text}`)
    assert.equal(others.text, nobodys.text)
  }
  for (const [noun, id] of Object.entries(ids)) {
    const isServed = routes.some(({ method, path }) => method === 'GET' && path === `/v1/${noun}/:id`)
    const api = noun === 'privacy/requests' || noun === 'team/invitations' ? ownerUser : owner.api
    const kept = await api.get(isServed ? `/v1/${noun}/${id}` : `/v1/${noun}`)
    assert.ok(kept.status === 200 && kept.text.includes(id), `${noun}: ${kept.text}`)
  }
})

/** A sender, a template, a message and the conversation it is in. */
async function makeWhatsapp({ api }: TestTeam): Promise<Record<string, string>> {
  const { body: template } = await api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' })
  const number = { phoneNumber: '+447700900123', wabaId: 'waba', phoneNumberId: 'phone' }
  const { body: sender } = await api.post('/v1/whatsapp/senders', { name: 'Shop', ...number })
  await api.post(`/v1/whatsapp/senders/${sender.id}/verify`)
  await api.post(`/v1/whatsapp/templates/${template.id}/submit`)
  const told = { type: 'template_status', wabaId: 'waba', templateName: 'welcome', language: 'en', status: 'approved' }
  const events = JSON.stringify({ events: [told] })
  await posthorn.anyone.post('/v1/whatsapp/webhooks/inbound', events, { 'x-signature': signatureOf(events) })
  const send = { senderId: sender.id, to: '+447700900456', templateId: template.id }
  const { body: message } = await api.post('/v1/whatsapp/messages', send)
  return {
    'whatsapp/senders': sender.id,
    'whatsapp/templates': template.id,
    'whatsapp/messages': message.id,
    'whatsapp/conversations': message.conversationId,
  }
}

/** A sender, a message and a number that opted out. */
async function makeSms({ api }: TestTeam): Promise<Record<string, string>> {
  const { body: sender } = await api.post('/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await api.post(`/v1/sms/senders/${sender.id}/verify`)
  const { body: message } = await api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId: sender.id })
  const { body: optOut } = await api.post('/v1/sms/opt-outs', { phoneNumber: '+61411111111' })
  return { sms: message.id, 'sms/senders': sender.id, 'sms/opt-outs': optOut.id }
}

/** An active workflow and a credential. */
async function makeWorkflow({ api }: TestTeam): Promise<Record<string, string>> {
  const { body: workflow } = await api.post('/v1/workflows', { name: 'Mine' })
  await api.patch(`/v1/workflows/${workflow.id}`, { nodes: [{ id: 'start', type: 'manual' }] })
  await api.post(`/v1/workflows/${workflow.id}/activate`)
  const secret = { token: 'mine' }
  const { body: credential } = await api.post('/v1/credentials', { name: 'Mine', type: 'bearer', secret })
  return { workflows: workflow.id, credentials: credential.id }
}

/** Requests another team's execution under the stranger's own workflow. */
async function reachForExecution(owner: TestTeam, stranger: TestTeam): Promise<[Answer, Answer][]> {
  const { workflows: theirs } = await makeWorkflow(owner)
  const { workflows: own } = await makeWorkflow(stranger)
  const { body: execution } = await owner.api.post(`/v1/workflows/${theirs}/executions`)
  assert.ok(execution.id, JSON.stringify(execution))
  const path = (id: string) => `/v1/workflows/${own}/executions/${id}`
  const pairs: [Answer, Answer][] = [
    [await stranger.api.get(path(execution.id)), await stranger.api.get(path(unknownId))],
  ]
  for (const verb of ['rerun', 'cancel']) {
    pairs.push([
      await stranger.api.post(`${path(execution.id)}/${verb}`),
      await stranger.api.post(`${path(unknownId)}/${verb}`),
    ])
  }
  return pairs
}

test('another team’s id in a body, a query or a cursor answers as an unknown id', async () => {
  const [owner, stranger] = [await posthorn.team(), await posthorn.team()]
  const { body: template } = await owner.api.post('/v1/templates', { name: 'Welcome', text: 'Hello' })
  await owner.api.patch(`/v1/templates/${template.id}`, { status: 'published' })
  await send(owner, 'ada@people.test')
  await send(owner, 'bob@people.test')
  const { cursor } = (await owner.api.get('/v1/emails?limit=1')).body
  assert.ok(cursor)
  const sms = await makeSms(owner)
  const sendFrom = (senderId?: string) => stranger.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId })
  const pairs: [Answer, Answer][] = [
    ...(await reachForExecution(owner, stranger)),
    [await sendFrom(sms['sms/senders']), await sendFrom(unknownId)],
    [
      await stranger.api.get(`/v1/sms?senderId=${sms['sms/senders']}`),
      await stranger.api.get(`/v1/sms?senderId=${unknownId}`),
    ],
    [
      await stranger.api.post('/v1/api-keys', { name: 'x', domainId: owner.domainId }),
      await stranger.api.post('/v1/api-keys', { name: 'x', domainId: unknownId }),
    ],
    [
      await stranger.api.get(`/v1/emails?domainId=${owner.domainId}`),
      await stranger.api.get(`/v1/emails?domainId=${unknownId}`),
    ],
    [
      await send(stranger, 'a@people.test', { templateId: template.id }),
      await send(stranger, 'a@people.test', { templateId: unknownId }),
    ],
    [await stranger.api.get(`/v1/emails?cursor=${cursor}`), await stranger.api.get('/v1/emails?cursor=nonsense')],
    [
      await send(stranger, 'a@people.test', { from: `a@${owner.domain}` }),
      await send(stranger, 'a@people.test', { from: 'a@nobodys.test' }),
    ],
  ]
  for (const [others, nobodys] of pairs) {
    assert.ok(others.status >= 400 && others.status < 500, others.text)
    assert.equal(others.status, nobodys.status)
    assert.equal(others.body.name, nobodys.body.name)
  }
})

test('a key of one domain neither sees nor sends the emails of another', async () => {
  const team = await posthorn.team()
  const { body: second } = await team.api.post('/v1/domains', { name: `second-${team.domain}` })
  await team.api.post(`/v1/domains/${second.id}/verify`)
  const { body: email } = await send(team, 'ada@people.test')
  const scoped = await team.newKey({ domainId: second.id })
  assert.equal((await scoped.api.get(`/v1/emails/${email.id}`)).status, 404)
  assert.equal((await scoped.api.get(`/v1/emails/${email.id}/events`)).status, 404)
  assert.equal((await scoped.api.get('/v1/emails')).body.total, 0)
  const refused = await scoped.api.post('/v1/emails', {
    from: `a@${team.domain}`,
    to: ['b@people.test'],
    subject: 's',
    text: 't',
  })
  assert.equal(refused.status, 403)
  const sent = await scoped.api.post('/v1/emails', {
    from: `a@second-${team.domain}`,
    to: ['b@people.test'],
    subject: 's',
    text: 't',
  })
  assert.equal(sent.status, 200, sent.text)
})

function send({ api, domain }: Awaited<ReturnType<TestApp['team']>>, to: string, fields: object = {}): Promise<Answer> {
  return api.post('/v1/emails', { from: `a@${domain}`, to: [to], subject: 'Hello', text: 'Hello', ...fields })
}
