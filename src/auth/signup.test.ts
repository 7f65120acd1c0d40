import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { usualPasswordCost } from './passwords/password.ts'

const posthorn = await createTestApp()
const closed = await createTestApp({ SIGNUP: 'closed' })
const password = 'a long and winding road'

test('signing up makes a user, a team on the free plan, and a session that works at once', async () => {
  const made = await posthorn.anyone.post('/auth/signup', {
    email: 'Ada@Example.com',
    password,
    name: 'Ada',
    teamName: 'Engines',
  })
  assert.equal(made.status, 200, made.text)
  const { accessToken, refreshToken, tokenType, expiresIn, user, team, ...rest } = made.body
  assert.deepEqual(rest, {})
  assert.deepEqual([tokenType, expiresIn], ['Bearer', 900])
  assert.equal(typeof refreshToken, 'string')
  assert.equal(made.headers['cache-control'], 'no-store')
  assert.deepEqual(
    { ...user, id: 0 },
    {
      id: 0,
      email: 'Ada@Example.com',
      name: 'Ada',
      twoFactorEnabled: false,
      emailVerified: false,
      createdAt: posthorn.clock.now().toISOString(),
    },
  )
  assert.deepEqual(
    { ...team, id: 0 },
    { id: 0, name: 'Engines', plan: 'free', createdAt: posthorn.clock.now().toISOString() },
  )
  const me = await posthorn.as(accessToken).get('/auth/me')
  assert.deepEqual([me.status, me.body], [200, { user, team, role: 'owner' }])
  const key = await posthorn.as(accessToken).post('/v1/api-keys', { name: 'mine', permission: 'full_access' })
  assert.equal(key.status, 200, 'a user may call everything the team may')
  assert.equal((await posthorn.as(key.body.key).get('/v1/api-keys')).body.data.length, 1)
})

test('without names the team is called after the person or the address', async () => {
  const named = await posthorn.anyone.post('/auth/signup', { email: 'grace@example.com', password, name: 'Grace' })
  const unnamed = await posthorn.anyone.post('/auth/signup', { email: 'alan@example.com', password })
  assert.deepEqual([named.body.team.name, unnamed.body.team.name], ["Grace's team", "alan's team"])
  assert.equal(unnamed.body.user.name, null)
})

test('an address is one account in any case of letters, and only one of concurrent sign-ups succeeds', async () => {
  const emails = ['race@example.com', 'Race@example.com', 'RACE@EXAMPLE.COM', 'race@Example.com']
  const answers = await Promise.all(emails.map((email) => posthorn.anyone.post('/auth/signup', { email, password })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  assert.equal(answers.find(({ status }) => status === 409)?.body.name, 'conflict')
  const rows = posthorn.app.db.selectFrom('teams').select('id').where('name', 'ilike', "race's team")
  const teams = await rows.where('test_of', 'is', null).execute()
  assert.equal(teams.length, 1, 'who lost leaves no team behind')
})

test('passwords are 8 to 128 characters and none of the common ones', async () => {
  const attempt = (chosen: string) =>
    posthorn.anyone.post('/auth/signup', { email: 'weak@example.com', password: chosen })
  for (const chosen of [
    'short77',
    'x'.repeat(129),
    'Password1',
    'qwertyuiop',
    'ｐassword123',
    'PASSW0RD!',
    'godzilla',
    'a1b2c3d4',
    'zxcvbnm,',
  ]) {
    const answer = await attempt(chosen)
    assert.equal(answer.status, 400, chosen)
    assert.equal(answer.body.errors[0].path, 'password')
  }
  assert.equal((await attempt('😀'.repeat(128))).status, 200, 'characters are counted, not bytes')
})

test('an invalid address or an unknown field is refused by name', async () => {
  for (const email of ['ada', 'a@b@c.example', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com', '']) {
    const answer = await posthorn.anyone.post('/auth/signup', { email, password })
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, 'email'], email)
  }
  const answer = await posthorn.anyone.post('/auth/signup', { email: 'plan@example.com', password, plan: 'enterprise' })
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'plan'])
})

test('closed sign-up is 403 and creates nothing', async () => {
  const answer = await closed.anyone.post('/auth/signup', { email: 'ada@example.com', password })
  assert.deepEqual([answer.status, answer.body.name], [403, 'authorization_error'])
  assert.equal((await closed.app.db.selectFrom('users').select('id').execute()).length, 0)
})

test('passwords are kept as Argon2id of at least 19 MiB and two passes', async () => {
  const usual = await createTestApp({}, { passwordCost: usualPasswordCost })
  assert.equal((await usual.anyone.post('/auth/signup', { email: 'ada@example.com', password })).status, 200)
  const row = await usual.app.db.selectFrom('users').select('password_hash').executeTakeFirst()
  assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
