import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, ok, sharedTestApp } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'
import { routes } from '../app.ts'
import type { Role } from '../context.ts'
import { everybody } from '../teams/roles/roles.ts'

const posthorn = await sharedTestApp()
const permissions = ['sending_access', 'full_access'] as const
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The permissions of the keys that each role makes and ends. */
const rights: Record<Role, readonly string[]> = {
  owner: permissions,
  admin: permissions,
  developer: ['sending_access'],
  marketer: [],
  viewer: [],
}

function assertRoleRefused(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body.name], [403, 'forbidden'], answer.text)
}

for (const role of everybody) {
  const may = rights[role]
  test(`${role}: makes, lowers and ends ${may.join(' and ') || 'no'} keys, of both modes`, async () => {
    const team = await posthorn.team()
    const { api } = await team.member(role)
    for (const permission of permissions) {
      for (const mode of ['live', 'test'] as const) {
        const made = await api.post('/v1/api-keys', { name: 'Own', permission, mode })
        const another = await team.newKey({ permission, mode })
        const path = `/v1/api-keys/${another.id}`
        const soon = await api.patch(path, { expiresAt: '2099-01-01T00:00:00Z' })
        const lowered = await api.patch(path, { permission: 'sending_access' })
        const ended =
          permission === 'full_access' && may.includes(permission) ? await team.newKey({ permission, mode }) : another
        const gone = await api.delete(`/v1/api-keys/${ended.id}`)
        const answers = [made, soon, lowered, gone]
        if (may.includes(permission)) assert.deepEqual(pluck(answers, 'status'), [200, 200, 200, 200])
        // To give sending access to a key that has it lowers nothing.
        else for (const answer of answers) assertRoleRefused(answer)
      }
    }
    const { data } = (await team.api.get('/v1/api-keys')).body
    const untouched = data.filter(({ createdBy, permission }: { createdBy: object | null; permission: string }) => {
      return createdBy === null && permission === 'full_access'
    })
    assert.equal(untouched.length, may.includes('full_access') ? 1 : 3, 'the key of the tests, and those of each mode')
  })
}

test('a developer deletes no domain with which a full_access key would go, and an admin does', async () => {
  const team = await posthorn.team()
  const { api: developer } = await team.member('developer')
  const { api: admin } = await team.member('admin')
  const bound = await team.newKey({ permission: 'full_access', domainId: team.domainId })
  assertRoleRefused(await developer.delete(`/v1/domains/${team.domainId}`))
  assert.equal((await bound.api.get('/v1/domains')).status, 200)
  assert.equal((await admin.delete(`/v1/domains/${team.domainId}`)).status, 200)
  assert.equal((await bound.api.get('/v1/domains')).status, 401)
  const { body: other } = await developer.post('/v1/domains', { name: `other-${team.domain}` })
  await team.newKey({ domainId: other.id })
  assert.equal((await developer.delete(`/v1/domains/${other.id}`)).status, 200, 'with sending_access keys only')
})

test('a full_access key ends other full_access keys', async () => {
  const team = await posthorn.team()
  const another = await team.newKey({ permission: 'full_access' })
  assert.equal((await team.api.patch(`/v1/api-keys/${another.id}`, { permission: 'sending_access' })).status, 200)
  assert.equal((await team.api.delete(`/v1/api-keys/${another.id}`)).status, 200)
})

test('the key that a developer makes sends, also broadcasts, and is refused by every route for full_access keys', async () => {
  const team = await posthorn.team()
  const { api: developer } = await team.member('developer')
  const made = await developer.post('/v1/api-keys', { name: 'Mine' })
  const key = posthorn.as(made.body.key)
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const news = { name: 'News', from: `a@${team.domain}`, segmentId: segment.id, subject: 'News', text: 'New.' }
  assertRoleRefused(await developer.post('/v1/broadcasts', news))
  const draft = await ok(key.post('/v1/broadcasts', news), 201)
  assert.equal((await key.patch(`/v1/broadcasts/${draft.id}`, { subject: 'Newer' })).status, 200)
  assert.equal((await key.post(`/v1/broadcasts/${draft.id}/send`)).status, 200)
  for (const { method, path } of routes.filter(({ access }) => access === 'full' || access === 'user')) {
    const { statusCode, body } = await posthorn.server.inject({
      method,
      url: path.replaceAll(/:\w+/g, unknownId),
      headers: { authorization: `Bearer ${made.body.key}` },
    })
    assert.equal(statusCode, 403, `${method} ${path}: ${body}`)
  }
})
