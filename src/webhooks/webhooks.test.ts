import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'
import type { Role } from '../context.ts'
import { createWebhookApp, makeWebhook } from './fixtures/app.ts'

const posthorn = await createWebhookApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const url = 'https://example.com/hook?shop=1'

test('a webhook shows its secret when it is created, and never again', async () => {
  const { api } = await posthorn.team()
  const made = await api.post('/v1/webhooks', {
    endpointUrl: url,
    events: ['email.sent', 'email.bounced', 'email.sent'],
  })
  assert.equal(made.status, 200)
  const { id, signingSecret, ...rest } = made.body
  const createdAt = posthorn.clock.now().toISOString()
  const events = ['email.sent', 'email.bounced']
  const usual = { includeTest: false, signatureScheme: 'posthorn' }
  assert.deepEqual(rest, { endpointUrl: url, events, status: 'active', ...usual, createdAt })
  assert.match(signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual((await api.get(`/v1/webhooks/${id}`)).body, { id, ...rest })
  assert.deepEqual((await api.get('/v1/webhooks')).body.data, [{ id, ...rest }])
})

type Entry = { target: { id: string; name: string }; changes: Record<string, unknown> }

test('marketers and viewers see the host of an endpoint, and the audit log holds no more', async () => {
  const team = await posthorn.team()
  const { id } = await makeWebhook(team.api, url)
  const { id: plain } = await makeWebhook(team.api, 'https://example.com')
  const { body: delivery } = await team.api.post(`/v1/webhooks/${id}/test`, { eventType: 'email.bounced' })
  const seenBy = async (role: Role) => {
    const { api } = await team.member(role)
    return [
      (await api.get('/v1/webhooks')).body.data[1].endpointUrl,
      (await api.get(`/v1/webhooks/${id}`)).body.endpointUrl,
      (await api.get(`/v1/webhooks/${id}/deliveries/${delivery.id}`)).body.endpointUrl,
      (await api.get(`/v1/lookup?id=${id}`)).body.found.name,
    ]
  }
  for (const role of ['owner', 'admin', 'developer'] as const) assert.deepEqual(await seenBy(role), Array(4).fill(url))
  for (const role of ['marketer', 'viewer'] as const) {
    assert.deepEqual(await seenBy(role), Array(4).fill('https://example.com/[hidden]'))
    const { body } = await (await team.member(role)).api.get(`/v1/webhooks/${plain}`)
    assert.equal(body.endpointUrl, 'https://example.com')
  }
  await team.api.patch(`/v1/webhooks/${id}`, { endpointUrl: 'https://example.com/other-secret' })
  await team.api.patch(`/v1/webhooks/${id}`, { endpointUrl: 'https://example.org/third-secret' })
  await team.api.post(`/v1/webhooks/${id}/rotate-secret`)
  await team.api.delete(`/v1/webhooks/${id}`)
  const { body } = await (await team.member('owner')).api.get('/v1/audit?limit=100')
  const entries = body.data.filter(({ target }: Entry) => target.id === id)
  assert.deepEqual(
    entries.map(({ target, changes }: Entry) => [target.name, changes.endpointUrl]),
    [
      ['example.org', undefined],
      ['example.org', undefined],
      ['example.org', { from: 'example.com', to: 'example.org' }],
      ['example.com', { from: '***', to: '***' }],
      ['example.com', undefined],
    ],
  )
  assert.doesNotMatch(JSON.stringify(body), /shop=1|secret-|-secret"|hook\?/)
})

test('the list is newest first', async () => {
  const { api } = await posthorn.team()
  const ids = [await makeWebhook(api, url), await makeWebhook(api, url)].map(({ id }) => id)
  const listed = (await api.get('/v1/webhooks')).body.data
  assert.deepEqual(pluck(listed, 'id'), ids.toReversed())
})

test('a change affects only the fields that it names', async () => {
  const { api } = await posthorn.team()
  const { path } = await makeWebhook(api, url)
  const before = (await api.get(path)).body
  const moved = await api.patch(path, { endpointUrl: 'https://example.org/' })
  assert.deepEqual(moved.body, { ...before, endpointUrl: 'https://example.org/' })
  const changed = await api.patch(path, { events: ['email.clicked', 'email.clicked'], status: 'inactive' })
  assert.deepEqual(changed.body, { ...moved.body, events: ['email.clicked'], status: 'inactive' })
  assert.deepEqual((await api.get(path)).body, changed.body)
})

test('a rotation answers the webhook with a new secret', async () => {
  const { api } = await posthorn.team()
  const { path, secret } = await makeWebhook(api, url)
  const rotated = await ok(api.post(`${path}/rotate-secret`))
  const { signingSecret, ...rest } = rotated
  assert.match(signingSecret, /^whsec_/)
  assert.notEqual(signingSecret, secret)
  assert.deepEqual(rest, (await api.get(path)).body)
})

test('a deleted webhook is gone', async () => {
  const { api } = await posthorn.team()
  const { id, path } = await makeWebhook(api, url)
  assert.deepEqual((await api.delete(path)).body, { id, deleted: true })
  for (const answer of [
    await api.get(path),
    await api.delete(path),
    await api.patch(path, { status: 'active' }),
    await api.post(`${path}/rotate-secret`),
    await api.get(`${path}/deliveries`),
    await api.get(`${path}/deliveries/${unknownId}`),
    await api.post(`${path}/deliveries/${unknownId}/replay`),
  ]) {
    assert.equal(answer.status, 404, answer.text)
    assert.equal(answer.body.name, 'not_found')
  }
})

test('a URL that could never be called is refused by name', async () => {
  const { api } = await posthorn.team()
  const { path } = await makeWebhook(api, url)
  for (const endpointUrl of [
    ...['http://example.com/', 'ftp://example.com', 'example.com', '', 'https://', 'https:example.com', 'https:///x'],
    ...['https://user:pass@example.com/', 'https://user@example.com/', ' https://example.com', 'https://exa mple.com'],
    ...[
      'https://10.0.0.1/',
      'https://192.168.1.1:8443/x',
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://[fc00::1]',
      'https://8.8.8.8:25/',
    ],
    ...[
      'https://0x0a000001/',
      'https://167772161/',
      'https://[::ffff:10.0.0.1]/',
      `https://example.com/${'x'.repeat(2000)}`,
    ],
    ...['https://example.com\\@10.0.0.1/', 'https://example.com:99999/', null, 5],
  ]) {
    for (const answer of [
      await api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'] }),
      await api.patch(path, { endpointUrl }),
    ]) {
      assert.equal(answer.status, 400, String(endpointUrl))
      assert.equal(answer.body.errors[0].path, 'endpointUrl')
    }
  }
})

test('an invalid value is refused, naming the field', async () => {
  const { api } = await posthorn.team()
  const { path } = await makeWebhook(api, url)
  const refused: [unknown, string][] = [
    [{ events: ['email.sent'] }, 'endpointUrl'],
    [{ endpointUrl: url }, 'events'],
    [{ endpointUrl: url, events: [] }, 'events'],
    [{ endpointUrl: url, events: 'email.sent' }, 'events'],
    [{ endpointUrl: url, events: ['email.sent', 'sms.sent'] }, 'events[1]'],
    [{ endpointUrl: url, events: ['email.sent'], secret: 'x' }, 'secret'],
    [{ endpointUrl: url, events: ['email.sent'], status: 'inactive' }, 'status'],
  ]
  for (const [body, field] of refused) {
    const answer = await api.post('/v1/webhooks', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, field], JSON.stringify(body))
  }
  for (const body of [{}, { status: 'paused' }, { events: [] }, { events: null }, { signingSecret: 'x' }])
    assert.equal((await api.patch(path, body)).status, 400, JSON.stringify(body))
})

test('secrets are encrypted in the database', async () => {
  const { api, id } = await posthorn.team()
  const { secret } = await makeWebhook(api, url)
  const row = posthorn.app.db.selectFrom('webhooks').select('signing_secret').where('team_id', '=', id)
  const { signing_secret: sealed } = await row.executeTakeFirstOrThrow()
  assert.match(sealed, /^v2\./)
  assert.ok(!sealed.includes(secret.slice(6)))
})
