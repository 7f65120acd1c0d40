import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { pluck } from '../../../test/pluck.ts'

const posthorn = await createTestApp()
const { anyone } = posthorn

const signup = () => signUp(posthorn)

const refresh = (refreshToken: string) => anyone.post('/auth/refresh', { refreshToken })
const removeMember = (team: string, user: string) =>
  posthorn.app.db.deleteFrom('team_members').where('team_id', '=', team).where('user_id', '=', user).execute()

test('a person makes a team, owns it, and finds it in the own teams, newest first', async () => {
  const ada = await signup()
  const made = await ok(ada.api.post('/auth/teams', { name: 'Engines' }))
  const { id, ...rest } = made
  assert.deepEqual(rest, { name: 'Engines', plan: 'free', role: 'owner' })
  const { id: first, name, plan } = ada.team
  const list = await ada.api.get('/auth/teams')
  const [newest, oldest] = [made, { id: first, name, plan, role: 'owner' }]
  assert.deepEqual(list.body, { data: [newest, oldest], cursor: null, hasMore: false })
  const page = await ada.api.get('/auth/teams?limit=1')
  const next = await ada.api.get(`/auth/teams?limit=1&cursor=${page.body.cursor}`)
  assert.deepEqual([...page.body.data, ...next.body.data], [newest, oldest])
  assert.equal((await (await signup()).api.get(`/auth/teams?cursor=${page.body.cursor}`)).status, 400)
  assert.equal((await ada.api.get('/auth/me')).body.team.id, first, 'the session stays in its team')
  for (const wrong of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'A', plan: 'pro' }]) {
    assert.equal((await ada.api.post('/auth/teams', wrong)).status, 400)
  }
  assert.ok(id)
})

test('a person owns ten teams at most, also by requests that race', async () => {
  const ada = await signup()
  const answers = await Promise.all(Array.from({ length: 12 }, () => ada.api.post('/auth/teams', { name: 'More' })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 9)
  const refused = answers.find(({ status }) => status !== 200)
  assert.deepEqual([refused?.status, refused?.body.name], [422, 'team_limit_exceeded'])
})

test('a switched session acts in the other team, and stays there when it is refreshed', async () => {
  const ada = await signup()
  const { body: team } = await ada.api.post('/auth/teams', { name: 'Engines' })
  const switched = await ok(ada.api.post('/auth/switch', { teamId: team.id }))
  const fields = ['accessToken', 'refreshToken', 'tokenType', 'expiresIn', 'user', 'team']
  assert.deepEqual(Object.keys(switched), fields, 'as a login gives them')
  assert.equal(switched.team.id, team.id)
  const there = posthorn.as(switched.accessToken)
  await ok(there.post('/v1/templates', { name: 'Welcome' }))
  assert.deepEqual((await ada.api.get('/v1/templates')).body.data, [], 'the earlier access token is of the first team')
  let { refreshToken } = switched
  for (let time = 0; time < 3; time++) {
    posthorn.clock.advance(60_000)
    const { status, body } = await refresh(refreshToken)
    assert.deepEqual([status, body.team?.id], [200, team.id])
    refreshToken = body.refreshToken
  }
  const back = await posthorn.as(switched.accessToken).post('/auth/switch', { teamId: ada.team.id })
  assert.equal(back.body.team.id, ada.team.id)
})

test('the role in the profile is the role in the team of the session', async () => {
  const [ada, grace] = [await signup(), await signup()]
  const member = { team_id: ada.team.id, user_id: grace.user.id, role: 'viewer' as const }
  await posthorn.app.db
    .insertInto('team_members')
    .values({ ...member, created_at: posthorn.clock.now() })
    .execute()
  const { body } = await grace.api.post('/auth/switch', { teamId: ada.team.id })
  assert.equal((await posthorn.as(body.accessToken).get('/auth/me')).body.role, 'viewer')
  assert.equal((await grace.api.get('/auth/me')).body.role, 'owner')
  const roles = (await grace.api.get('/auth/teams')).body.data.map(({ role }: { role: string }) => role)
  assert.deepEqual(roles.sort(), ['owner', 'viewer'])
  await removeMember(ada.team.id, grace.user.id)
  assert.equal((await posthorn.as(body.accessToken).get('/auth/me')).status, 401)
  assert.equal((await refresh(body.refreshToken)).status, 401, 'a switched login does not fall back by itself')
  assert.equal((await grace.api.get('/auth/me')).status, 200, 'the token of the own team is not concerned')
})

test('switching to a team of others or to an unknown one is 404, and to no id 400', async () => {
  const [ada, grace] = [await signup(), await signup()]
  const others = await ada.api.post('/auth/switch', { teamId: grace.team.id })
  const unknown = await ada.api.post('/auth/switch', { teamId: '01890a5d-ac96-774b-bcce-b302099a8057' })
  assert.deepEqual([others.status, others.body], [404, unknown.body])
  assert.equal((await ada.api.post('/auth/switch', { teamId: 'x' })).status, 400)
  assert.equal((await refresh(ada.refreshToken)).body.team.id, ada.team.id)
})

test('a switch replaces the refresh token as a refresh does: requests that race succeed, a later reuse ends the login', async () => {
  const ada = await signup()
  const { body: team } = await ada.api.post('/auth/teams', { name: 'Engines' })
  const answers = await Promise.all([ada.api.post('/auth/switch', { teamId: team.id }), refresh(ada.refreshToken)])
  assert.deepEqual(pluck(answers, 'status'), [200, 200])
  const soon = await refresh(ada.refreshToken)
  assert.ok([200, 401].includes(soon.status))
  posthorn.clock.advance(11_000)
  assert.equal((await refresh(ada.refreshToken)).status, 401)
  assert.equal((await posthorn.as(answers[0].body.accessToken).get('/auth/me')).status, 401)
})

test('a switch keeps the age of the login and does not revive one that ended', async () => {
  const ada = await signup()
  const { body: team } = await ada.api.post('/auth/teams', { name: 'Engines' })
  posthorn.clock.advance(14 * 60_000)
  const { body: there } = await ada.api.post('/auth/switch', { teamId: team.id })
  posthorn.clock.advance(2 * 60_000)
  const api = posthorn.as(there.accessToken)
  const key = await api.post('/v1/api-keys', { name: 'mine', permission: 'full_access' })
  assert.deepEqual([key.status, key.body.name], [403, 'reauthentication_required'])
  await anyone.post('/auth/logout', { refreshToken: there.refreshToken })
  assert.equal((await api.post('/auth/switch', { teamId: ada.team.id })).status, 401)
})

test('a person whose last team is gone gets a new one of the own at the next login, one for logins that race', async () => {
  const ada = await signup()
  await removeMember(ada.team.id, ada.user.id)
  const login = () => anyone.post('/auth/login', { email: ada.user.email, password })
  const answers = await Promise.all([login(), login(), login()])
  assert.deepEqual(pluck(answers, 'status'), [200, 200, 200])
  const teams = new Set(answers.map(({ body }) => body.team.id))
  assert.equal(teams.size, 1)
  const { body } = answers[0]!
  assert.deepEqual([body.team.plan, teams.has(ada.team.id)], ['free', false])
  assert.equal((await posthorn.as(body.accessToken).get('/auth/me')).body.role, 'owner')
})
