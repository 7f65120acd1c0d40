import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, apiOf, createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { untilWaiting } from '../../../test/while-locked.ts'
import type { Role } from '../../context.ts'
import { lockPeople } from './lock-role.ts'
import { updateRole } from './queries.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()
const newTeam = () => posthorn.team()

async function rolesOf({ member }: TestTeam, ...roles: Role[]) {
  return Promise.all(roles.map((role) => member(role)))
}

async function actionsOf({ id }: TestTeam): Promise<string[]> {
  const { db } = posthorn.app
  const rows = await db
    .selectFrom('audit_entries')
    .select('action')
    .where('team_id', '=', id)
    .where('action', 'like', 'member.%')
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}

test('every member sees the team and its members', async () => {
  const team = await newTeam()
  const [owner, viewer] = await rolesOf(team, 'owner', 'viewer')
  const createdAt = posthorn.clock.now().toISOString()
  assert.deepEqual((await viewer!.api.get('/v1/team')).body, {
    ...{ id: team.id, name: 'Shop', plan: 'enterprise', requireTwoFactor: false, createdAt },
  })
  const { data, ...page } = (await viewer!.api.get('/v1/team/members')).body
  assert.deepEqual(page, { cursor: null, hasMore: false })
  assert.equal(data.length, 2)
  assert.deepEqual(
    data.find(({ userId }: { userId: string }) => userId === owner!.userId),
    {
      ...{ userId: owner!.userId, email: owner!.email, name: null, role: 'owner', twoFactorEnabled: false },
      ...{ lastSeenAt: createdAt, createdAt },
    },
  )
  assert.equal((await viewer!.api.get('/auth/me')).body.role, 'viewer')
})

test('members are listed in pages', async () => {
  const team = await newTeam()
  const [owner] = await rolesOf(team, 'owner', 'admin', 'viewer')
  const first = (await owner!.api.get('/v1/team/members?limit=2')).body
  const second = (await owner!.api.get(`/v1/team/members?limit=2&cursor=${first.cursor}`)).body
  const ids = [...first.data, ...second.data].map(({ userId }) => userId)
  assert.deepEqual([first.hasMore, second.hasMore, new Set(ids).size], [true, false, 3])
})

test('no API key sees or changes the team', async () => {
  const team = await newTeam()
  const answers = [await team.api.get('/v1/team'), await team.api.get('/v1/team/members')]
  for (const { status } of answers) assert.equal(status, 403)
})

test('a changed role applies from the next request, in every process', async () => {
  const team = await newTeam()
  const [owner, member] = await rolesOf(team, 'owner', 'developer')
  const path = `/v1/team/members/${member!.userId}`
  assert.notEqual((await apiOf(other, member!.token).post('/v1/emails', {})).status, 403)
  const changed = await owner!.api.patch(path, { role: 'viewer' })
  assert.deepEqual([changed.status, changed.body.role, changed.body.userId], [200, 'viewer', member!.userId])
  assert.equal((await apiOf(other, member!.token).post('/v1/emails', {})).status, 403)
  assert.equal((await owner!.api.patch(path, { role: 'viewer' })).status, 200)
  assert.deepEqual(await actionsOf(team), ['member.role_changed'], 'an unchanged role is no change')
})

test('an admin who is lowered in the middle of a request changes nobody', async () => {
  const team = await newTeam()
  const [, admin, viewer] = await rolesOf(team, 'owner', 'admin', 'viewer')
  const [locked, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lowering = posthorn.app.transaction(async (tx) => {
    await lockPeople(tx, team.id)
    locked.resolve()
    await asked.promise
    await updateRole(tx, team.id, admin!.userId, 'developer')
  })
  await locked.promise
  const [raising, inviting] = [
    apiOf(other, admin!.token).patch(`/v1/team/members/${viewer!.userId}`, { role: 'admin' }),
    admin!.api.post('/v1/team/invitations', { email: 'guest@people.test', role: 'admin' }),
  ]
  await untilWaiting(posthorn.app, 2)
  asked.resolve()
  await lowering
  for (const { status, body } of [await raising, await inviting]) {
    assert.deepEqual(
      [status, body.message],
      [403, 'This needs the role owner or admin; your role in this team is developer.'],
    )
  }
  assert.equal((await viewer!.api.get('/auth/me')).body.role, 'viewer')
})

test('a removed member is signed out in every process, also after joining again', async () => {
  const team = await newTeam()
  const [owner, member] = await rolesOf(team, 'owner', 'developer')
  const removed = await owner!.api.delete(`/v1/team/members/${member!.userId}`)
  assert.deepEqual([removed.status, removed.body], [200, { id: member!.userId, deleted: true }])
  assert.equal((await apiOf(other, member!.token).get('/auth/me')).status, 401)
  await posthorn.app.transaction((tx) =>
    tx.db
      .insertInto('team_members')
      .values({ team_id: team.id, user_id: member!.userId, role: 'viewer', created_at: tx.now })
      .execute(),
  )
  assert.equal((await member!.api.get('/auth/me')).status, 401)
  assert.deepEqual(await actionsOf(team), ['member.removed'])
})

test('removing or lowering a member lists the keys that the member made and that may do more, without secrets', async () => {
  const team = await newTeam()
  const [owner, admin] = await rolesOf(team, 'owner', 'admin')
  const make = async (api: Api, body: object) => (await api.post('/v1/api-keys', body)).body
  const full = await make(admin!.api, { name: 'full', permission: 'full_access' })
  const sending = await make(admin!.api, { name: 'sending' })
  const byKey = await make(posthorn.as(full.key), { name: 'by key', permission: 'full_access' })
  await make(admin!.api, { name: 'brief', expiresAt: new Date(posthorn.clock.now().getTime() + 1000).toISOString() })
  await make(owner!.api, { name: 'of another', permission: 'full_access' })
  await (await posthorn.team()).newKey()
  posthorn.clock.advance(2000)
  const listed = ({ id, name, permission }: Record<string, string>) => ({ id, name, permission })
  const path = `/v1/team/members/${admin!.userId}`
  const lower = async (role: string) => (await owner!.api.patch(path, { role })).body.apiKeys
  assert.deepEqual(await lower('developer'), [byKey, full].map(listed))
  assert.deepEqual(await lower('viewer'), [byKey, sending, full].map(listed))
  assert.equal(await lower('admin'), undefined)
  const member = (await owner!.api.get('/v1/team/members')).body.data[0]
  assert.ok(!('apiKeys' in member))
  const { body } = await owner!.api.delete(path)
  assert.deepEqual(body, { id: admin!.userId, deleted: true, apiKeys: [byKey, sending, full].map(listed) })
  assert.equal((await posthorn.as(full.key).get('/v1/contacts')).status, 200, 'they go on working')
})

test('an admin neither makes, lowers nor removes an owner', async () => {
  const team = await newTeam()
  const [owner, admin, viewer] = await rolesOf(team, 'owner', 'admin', 'viewer')
  await rolesOf(team, 'owner')
  const path = (userId: string) => `/v1/team/members/${userId}`
  const answers = [
    await admin!.api.patch(path(viewer!.userId), { role: 'owner' }),
    await admin!.api.patch(path(admin!.userId), { role: 'owner' }),
    await admin!.api.patch(path(owner!.userId), { role: 'viewer' }),
    await admin!.api.delete(path(owner!.userId)),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.name], [403, 'forbidden'])
  assert.equal((await admin!.api.patch(path(viewer!.userId), { role: 'admin' })).status, 200)
})

test('every member may leave; nobody but owners and admins removes others', async () => {
  const team = await newTeam()
  const [owner, viewer, developer] = await rolesOf(team, 'owner', 'viewer', 'developer')
  const path = (userId: string) => `/v1/team/members/${userId}`
  assert.equal((await developer!.api.delete(path(viewer!.userId))).status, 403)
  assert.equal((await viewer!.api.delete(path(viewer!.userId))).status, 200)
  assert.equal((await viewer!.api.get('/auth/me')).status, 401)
  assert.equal((await owner!.api.get('/v1/team/members')).body.data.length, 2)
  assert.deepEqual(await actionsOf(team), ['member.left'])
})

test('the last owner neither leaves nor is lowered', async () => {
  const team = await newTeam()
  const [owner] = await rolesOf(team, 'owner', 'admin')
  const path = `/v1/team/members/${owner!.userId}`
  assert.equal((await owner!.api.delete(path)).status, 409)
  assert.equal((await owner!.api.patch(path, { role: 'admin' })).status, 409)
})

test('of owners who leave or lower each other at the same moment one stays', async () => {
  for (const how of ['leave', 'lower', 'both'] as const) {
    const team = await newTeam()
    const owners = await rolesOf(team, 'owner', 'owner', 'owner')
    const answers = await Promise.all(
      owners.map(({ userId, token }, index) => {
        const api = apiOf(index % 2 ? other : posthorn, token)
        const next = owners[(index + 1) % owners.length]!.userId
        const leaves = how === 'leave' || (how === 'both' && index === 0)
        return leaves
          ? api.delete(`/v1/team/members/${userId}`)
          : api.patch(`/v1/team/members/${next}`, { role: 'viewer' })
      }),
    )
    for (const { status, text } of answers) assert.ok([200, 401, 403, 404, 409].includes(status), text)
    const { db } = posthorn.app
    const left = await db.selectFrom('team_members').selectAll().where('team_id', '=', team.id).execute()
    assert.ok(left.filter(({ role }) => role === 'owner').length >= 1, how)
  }
})

test('a member of another team is 404', async () => {
  const [team, strangers] = [await newTeam(), await newTeam()]
  const [[owner], [stranger]] = [await rolesOf(team, 'owner'), await rolesOf(strangers, 'viewer')]
  const path = `/v1/team/members/${stranger!.userId}`
  assert.equal((await owner!.api.patch(path, { role: 'admin' })).status, 404)
  assert.equal((await owner!.api.delete(path)).status, 404)
  assert.equal((await stranger!.api.get('/auth/me')).status, 200)
})

test('a person in two teams has the role of the team that the session is in', async () => {
  const [team, second] = [await newTeam(), await newTeam()]
  const [viewer] = await rolesOf(team, 'viewer')
  await posthorn.app.transaction((tx) =>
    tx.db
      .insertInto('team_members')
      .values({ team_id: second.id, user_id: viewer!.userId, role: 'owner', created_at: tx.now })
      .execute(),
  )
  assert.equal((await viewer!.api.patch('/v1/team', { name: 'Mine' })).status, 403)
})

test('a developer makes sending_access keys only', async () => {
  const [developer, admin] = await rolesOf(await newTeam(), 'developer', 'admin')
  const made = await ok(developer!.api.post('/v1/api-keys', { name: 'mine' }))
  const full = { name: 'full', permission: 'full_access' }
  assert.equal((await developer!.api.post('/v1/api-keys', full)).status, 403)
  const raised = await developer!.api.patch(`/v1/api-keys/${made.id}`, { permission: 'full_access' })
  assert.deepEqual([raised.status, raised.body.name], [403, 'forbidden'])
  const lasting = (await admin!.api.post('/v1/api-keys', { ...full, expiresAt: '2031-01-01T00:00:00Z' })).body
  assert.equal((await developer!.api.patch(`/v1/api-keys/${lasting.id}`, { expiresAt: null })).status, 403)
  assert.equal((await developer!.api.patch(`/v1/api-keys/${lasting.id}`, { name: 'Shop' })).status, 200)
})
