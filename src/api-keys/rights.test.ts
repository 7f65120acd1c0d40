import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, createTestApp, ok } from '../../test/app.ts'
import { signUp } from '../../test/person.ts'

const posthorn = await createTestApp()
const hourMs = 3_600_000

/** Returns the ISO time a number of hours from now. */
function inHours(hours: number): string {
  return new Date(posthorn.clock.now().getTime() + hours * hourMs).toISOString()
}

function assertForbidden(answer: Answer, message: RegExp): void {
  assert.deepEqual([answer.status, answer.body.name], [403, 'authorization_error'], answer.text)
  assert.match(answer.body.message, message)
}

test('a key that is restricted to a domain makes keys of that domain only', async () => {
  const team = await posthorn.team()
  const other = (await team.api.post('/v1/domains', { name: 'other.test' })).body
  const bound = await team.newKey({ permission: 'full_access', domainId: team.domainId })
  for (const domainId of [undefined, null, other.id]) {
    const greater = await bound.api.post('/v1/api-keys', { name: 'greater', permission: 'full_access', domainId })
    assertForbidden(greater, /restricted to one domain/)
  }
  const equal = await bound.api.post('/v1/api-keys', {
    name: 'equal',
    permission: 'full_access',
    domainId: team.domainId,
  })
  assert.equal(equal.status, 200, equal.text)
  assert.equal((await team.api.get('/v1/api-keys')).body.data.length, 3)
})

test('a key that is restricted to a domain sees and changes the keys of that domain only', async () => {
  const team = await posthorn.team()
  const bound = await team.newKey({ permission: 'full_access', domainId: team.domainId })
  const [free, same] = [await team.newKey(), await team.newKey({ domainId: team.domainId })]
  const { data } = (await bound.api.get('/v1/api-keys')).body
  assert.deepEqual(data.map(({ id }: { id: string }) => id).sort(), [bound.id, same.id].sort())
  const path = `/v1/api-keys/${free.id}`
  const refused = [
    await bound.api.get(path),
    await bound.api.patch(path, { permission: 'full_access' }),
    await bound.api.delete(path),
  ]
  for (const { status } of refused) assert.equal(status, 404)
  assert.equal((await bound.api.patch(`/v1/api-keys/${same.id}`, { permission: 'full_access' })).status, 200)
  assert.equal((await bound.api.delete(`/v1/api-keys/${same.id}`)).status, 200)
})

test('a key is 401 from its expiry on, without any job, and works again with a later expiry', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/api-keys', { name: 'week', permission: 'full_access', expiresAt: inHours(1) })
  assert.equal(made.body.expiresAt, inHours(1))
  const api = posthorn.as(made.body.key)
  posthorn.clock.advance(hourMs - 1)
  assert.equal((await api.get('/v1/domains')).status, 200)
  posthorn.clock.advance(1)
  const late = await api.get('/v1/domains')
  assert.deepEqual([late.status, late.body.name], [401, 'authentication_error'])
  assert.equal((await team.api.get(`/v1/api-keys/${made.body.id}`)).body.id, made.body.id, 'it stays in the list')
  await ok(team.api.patch(`/v1/api-keys/${made.body.id}`, { expiresAt: inHours(1) }))
  assert.equal((await api.get('/v1/domains')).status, 200)
  assert.equal((await team.api.patch(`/v1/api-keys/${made.body.id}`, { expiresAt: null })).body.expiresAt, null)
})

test('a key with an expiry cannot create a key that expires later, nor extend itself or another key', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/api-keys', { name: 'week', permission: 'full_access', expiresAt: inHours(2) })
  const [api, path] = [posthorn.as(made.body.key), `/v1/api-keys/${made.body.id}`]
  for (const expiresAt of [undefined, null, inHours(3)]) {
    assertForbidden(await api.post('/v1/api-keys', { name: 'for ever', expiresAt }), /expires at .*cannot give/)
  }
  for (const expiresAt of [null, inHours(3)]) assertForbidden(await api.patch(path, { expiresAt }), /expires at/)
  const lasting = await team.newKey()
  assertForbidden(await api.patch(`/v1/api-keys/${lasting.id}`, { permission: 'full_access' }), /expires at/)
  assert.equal((await api.patch(`/v1/api-keys/${lasting.id}`, { name: 'renamed' })).status, 200)
  assert.equal((await api.post('/v1/api-keys', { name: 'short', expiresAt: inHours(2) })).status, 200)
  assert.equal((await api.patch(path, { expiresAt: inHours(1) })).status, 200, 'sooner is less')
})

test('an expiry that is past or not a time is refused, naming the field', async () => {
  const team = await posthorn.team()
  const { id } = await team.newKey()
  for (const expiresAt of [inHours(0), inHours(-1), 'tomorrow', '2031-02-30T00:00:00Z', 5]) {
    const answers = [
      await team.api.post('/v1/api-keys', { name: 'late', expiresAt }),
      await team.api.patch(`/v1/api-keys/${id}`, { expiresAt }),
    ]
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'expiresAt'], String(expiresAt))
    }
  }
})

test('a key names its creator, even after the creator is deleted', async () => {
  const { user: ada, api: user } = await signUp(posthorn, { email: 'ada@example.com' })
  const first = await user.post('/v1/api-keys', { name: 'first', permission: 'full_access' })
  assert.deepEqual(first.body.createdBy, { type: 'user', id: ada.id, name: 'ada@example.com' })
  const second = await posthorn.as(first.body.key).post('/v1/api-keys', { name: 'second' })
  const maker = { type: 'api_key', id: first.body.id, name: 'first' }
  assert.deepEqual(second.body.createdBy, maker)
  assert.equal((await user.delete(`/v1/api-keys/${first.body.id}`)).status, 200)
  assert.deepEqual((await user.get(`/v1/api-keys/${second.body.id}`)).body.createdBy, maker)
  assert.deepEqual((await user.get('/v1/api-keys')).body.data[0].createdBy, maker)
  const team = await posthorn.team()
  assert.equal((await team.api.get('/v1/api-keys')).body.data[0].createdBy, null, 'from before it was noted')
})
