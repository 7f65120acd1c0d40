import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { pluckRows } from '../../test/pluck.ts'

const posthorn = await createTestApp()

test('a key is shown in full once, begins with its prefix and works', async () => {
  const team = await posthorn.team()
  const made = await ok(team.api.post('/v1/api-keys', { name: 'Shop' }))
  assert.deepEqual(Object.keys(made).sort(), [
    'createdAt',
    'createdBy',
    'domainId',
    'expiresAt',
    'id',
    'key',
    'keyPrefix',
    'mode',
    'name',
    'permission',
  ])
  const { key, ...rest } = made
  assert.match(key, /^ph_[0-9A-Za-z]{40}$/)
  assert.equal(rest.keyPrefix, key.slice(0, 10))
  assert.equal(rest.permission, 'sending_access')
  assert.equal(rest.domainId, null)
  assert.equal((await posthorn.as(key).get('/v1/rate-limits')).status, 200)
  assert.equal((await posthorn.as(key).get('/v1/api-keys')).status, 403)
  assert.deepEqual((await team.api.get(`/v1/api-keys/${rest.id}`)).body, rest)
  const { text } = await team.api.get('/v1/api-keys')
  assert(!text.includes(key) && !text.includes('key_hash'))
})

test('the list has every key, newest first, with its domain and last use', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/api-keys', {
    name: 'One domain',
    domainId: team.domainId,
    permission: 'full_access',
  })
  assert.equal(made.body.domainId, team.domainId)
  const { data } = (await team.api.get('/v1/api-keys')).body
  assert.deepEqual(Object.keys(data[0]).sort(), [
    'createdAt',
    'createdBy',
    'domainId',
    'domainName',
    'expiresAt',
    'id',
    'keyPrefix',
    'lastUsedAt',
    'mode',
    'name',
    'permission',
  ])
  assert.deepEqual(pluckRows(data, 'name', 'domainName'), [
    ['One domain', team.domain],
    ['test', null],
  ])
  assert.equal(data[0].lastUsedAt, null)
  assert.equal(data[1].lastUsedAt, posthorn.clock.now().toISOString())
})

test('a changed permission and a revocation apply from the next request on', async () => {
  const team = await posthorn.team()
  const { id, api } = await team.newKey({ permission: 'sending_access' })
  assert.equal((await api.get('/v1/domains')).status, 403)
  const changed = await team.api.patch(`/v1/api-keys/${id}`, { permission: 'full_access', name: 'Renamed' })
  assert.deepEqual([changed.status, changed.body.permission, changed.body.name], [200, 'full_access', 'Renamed'])
  assert.equal((await api.get('/v1/domains')).status, 200)
  assert.deepEqual((await team.api.delete(`/v1/api-keys/${id}`)).body, { id, deleted: true })
  assert.equal((await api.get('/v1/domains')).status, 401)
  assert.equal((await team.api.delete(`/v1/api-keys/${id}`)).status, 404)
  assert.equal((await team.api.get(`/v1/api-keys/${id}`)).status, 404)
})

test('a plan changed by an operator applies from the next request on', async () => {
  const team = await posthorn.team({ plan: 'free' })
  assert.equal((await team.api.get('/v1/rate-limits')).headers['x-ratelimit-limit'], '60')
  await posthorn.app.db.updateTable('teams').set({ plan: 'pro' }).where('id', '=', team.id).execute()
  assert.equal((await team.api.get('/v1/rate-limits')).headers['x-ratelimit-limit'], '600')
})

test('an invalid key is refused, naming the field', async () => {
  const team = await posthorn.team()
  const other = await posthorn.team()
  const cases: [unknown, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'a', permission: 'admin' }, 'permission'],
    [{ name: 'a', domainId: 'x' }, 'domainId'],
    [{ name: 'a', domainId: other.domainId }, 'domainId'],
    [{ name: 'a', domain: 'x' }, 'domain'],
  ]
  for (const [body, path] of cases) {
    const answer = await team.api.post('/v1/api-keys', body)
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, path], JSON.stringify(body))
  }
  const { id } = await team.newKey()
  for (const body of [{}, { domainId: null }, { permission: null }, { key: 'ph_x' }]) {
    assert.equal((await team.api.patch(`/v1/api-keys/${id}`, body)).status, 400, JSON.stringify(body))
  }
})

test("another team's key does not exist", async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const { id, api } = await other.newKey({ permission: 'full_access' })
  assert.equal((await team.api.get(`/v1/api-keys/${id}`)).status, 404)
  assert.equal((await team.api.patch(`/v1/api-keys/${id}`, { name: 'mine' })).status, 404)
  assert.equal((await team.api.delete(`/v1/api-keys/${id}`)).status, 404)
  assert.equal((await api.get('/v1/domains')).status, 200)
})

test('deleting a domain revokes the keys restricted to it', async () => {
  const team = await posthorn.team()
  const { id, api } = await team.newKey({ permission: 'full_access', domainId: team.domainId })
  assert.equal((await api.get('/v1/domains')).status, 200)
  assert.equal((await team.api.delete(`/v1/domains/${team.domainId}`)).status, 200)
  assert.equal((await api.get('/v1/domains')).status, 401)
  assert.equal((await team.api.get(`/v1/api-keys/${id}`)).status, 404)
})

test('a key for a domain that is deleted at the same moment is refused or goes with it', async () => {
  const team = await posthorn.team()
  const [made] = await Promise.all([
    team.api.post('/v1/api-keys', { name: 'late', domainId: team.domainId }),
    team.api.delete(`/v1/domains/${team.domainId}`),
  ])
  assert([200, 400].includes(made.status), String(made.status))
  const { data } = (await team.api.get('/v1/api-keys')).body
  assert.equal(data.length, 1)
})

test('the audit log names a key that revokes itself, and one that deletes its domain', async () => {
  const team = await posthorn.team()
  const own = await team.newKey({ name: 'Own', permission: 'full_access' })
  assert.equal((await own.api.delete(`/v1/api-keys/${own.id}`)).status, 200)
  const ofDomain = await team.newKey({ name: 'Of the domain', permission: 'full_access', domainId: team.domainId })
  assert.equal((await ofDomain.api.delete(`/v1/domains/${team.domainId}`)).status, 200)
  const { data } = await ok((await team.member('owner')).api.get('/v1/audit'))
  const byKeys = data.filter(({ actor }: { actor: { name: string } }) => /^O/.test(actor.name))
  assert.deepEqual(
    byKeys.map(({ actor, action }: { actor: { name: string }; action: string }) => [actor.name, action]),
    [
      ['Of the domain', 'domain.deleted'],
      ['Of the domain', 'api_key.revoked'],
      ['Own', 'api_key.revoked'],
    ],
  )
})
