import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { createKeyring } from '../../platform/keys/keyring.ts'

const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
const posthorn = await createTestApp({}, { log })

const signup = () => signUp(posthorn)

function refresh(refreshToken: string) {
  return posthorn.anyone.post('/auth/refresh', { refreshToken })
}

async function meStatus(accessToken: string) {
  return (await posthorn.as(accessToken).get('/auth/me')).status
}

test('a refresh token is exchanged for a session with its successor', async () => {
  const first = await signup()
  const second = await refresh(first.refreshToken)
  assert.equal(second.status, 200, second.text)
  assert.notEqual(second.body.refreshToken, first.refreshToken)
  assert.notEqual(second.body.accessToken, first.accessToken, 'also within one second')
  assert.deepEqual([second.body.user, second.body.team], [first.user, first.team])
  assert.equal(await meStatus(second.body.accessToken), 200)
  assert.equal((await refresh(second.body.refreshToken)).status, 200)
})

test('presenting a used refresh token ends the whole login', async () => {
  const first = await signup()
  const second = await refresh(first.refreshToken)
  posthorn.clock.advance(10_001)
  const reused = await refresh(first.refreshToken)
  assert.deepEqual([reused.status, reused.body.name], [401, 'authentication_error'])
  assert.equal((await refresh(second.body.refreshToken)).status, 401)
  assert.equal(await meStatus(second.body.accessToken), 401, 'its access tokens end too')
})

test('concurrent requests with one refresh token within ten seconds all succeed, and continue the same login', async () => {
  const { refreshToken } = await signup()
  const racing = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)))
  assert.ok(racing.every(({ status }) => status === 200))
  posthorn.clock.advance(10_000)
  const late = await refresh(refreshToken)
  assert.equal(late.status, 200)
  const tokens = new Set([...racing, late].map(({ body }) => body.refreshToken))
  assert.equal(tokens.size, 1, 'a family has one live token')
  assert.equal((await refresh([...tokens][0])).status, 200)
})

test('a rotation concurrent with a reuse does not survive the reuse', async () => {
  const first = await signup()
  const second = await refresh(first.refreshToken)
  posthorn.clock.advance(11_000)
  const answers = await Promise.all([refresh(second.body.refreshToken), refresh(first.refreshToken)])
  assert.equal(answers[1].status, 401)
  const survivor = answers[0].status === 200 ? answers[0].body.refreshToken : second.body.refreshToken
  assert.equal((await refresh(survivor)).status, 401)
})

test('a refresh token lives 30 days from each exchange', async () => {
  const { refreshToken } = await signup()
  posthorn.clock.advance(30 * 24 * 3_600_000 - 1)
  const second = await refresh(refreshToken)
  assert.equal(second.status, 200)
  posthorn.clock.advance(30 * 24 * 3_600_000)
  assert.equal((await refresh(second.body.refreshToken)).status, 401)
})

test('a login ends 90 days after it began, even if it is refreshed', async () => {
  const { body } = await posthorn.anyone.post('/auth/login', { email: (await signup()).user.email, password })
  let { refreshToken } = body
  const dayMs = 24 * 3_600_000
  for (let day = 25; day <= 75; day += 25) {
    posthorn.clock.advance(25 * dayMs)
    const next = await refresh(refreshToken)
    assert.equal(next.status, 200, `day ${day}`)
    refreshToken = next.body.refreshToken
  }
  posthorn.clock.advance(15 * dayMs - 1)
  const last = await refresh(refreshToken)
  assert.equal(last.status, 200)
  posthorn.clock.advance(1)
  assert.equal((await refresh(last.body.refreshToken)).status, 401)
})

test('a reused refresh token is logged once for the operator, without the token', async () => {
  const first = await signup()
  const second = await refresh(first.refreshToken)
  assert.equal(second.status, 200)
  posthorn.clock.advance(11_000)
  const before = warnings.length
  for (let time = 0; time < 2; time++) assert.equal((await refresh(first.refreshToken)).status, 401)
  const alarms = warnings.slice(before).filter((line) => line.includes('refresh token was presented again'))
  assert.equal(alarms.length, 1)
  assert.ok(alarms[0]?.includes(first.user.id) && !alarms[0].includes(first.refreshToken))
})

test('an unknown refresh token is 401 and ends no login', async () => {
  const { refreshToken, accessToken } = await signup()
  const flipped = refreshToken.slice(0, 40) + (refreshToken[40] === 'A' ? 'B' : 'A') + refreshToken.slice(41)
  for (const bad of ['phr_', 'nonsense', flipped, `${refreshToken}A`, `${refreshToken} `, accessToken.slice(0, 200)]) {
    assert.equal((await refresh(bad)).status, 401, bad)
    assert.deepEqual((await posthorn.anyone.post('/auth/logout', { refreshToken: bad })).body, { revoked: true })
  }
  assert.equal((await refresh(refreshToken)).status, 200)
})

test('refresh tokens are stored as hashes only', async () => {
  const { refreshToken } = await signup()
  const rows = await posthorn.app.db.selectFrom('refresh_tokens').select(['token_hash', 'used_hashes']).execute()
  assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(refreshToken))
  assert.ok(rows.every(({ token_hash }) => token_hash.length === 32))
})

test('logging out ends the login at once, and no other login of the same person', async () => {
  const here = await signup()
  const there = await posthorn.anyone.post('/auth/login', { email: here.user.email, password })
  const out = await posthorn.anyone.post('/auth/logout', { refreshToken: here.refreshToken })
  assert.deepEqual([out.status, out.body], [200, { revoked: true }])
  assert.equal((await refresh(here.refreshToken)).status, 401)
  assert.equal(await meStatus(here.accessToken), 401)
  assert.equal(await meStatus(there.body.accessToken), 200)
})

test('an access token lives 15 minutes', async () => {
  const { accessToken } = await signup()
  posthorn.clock.advance(15 * 60_000 - 1000)
  assert.equal(await meStatus(accessToken), 200)
  posthorn.clock.advance(1000)
  const late = await posthorn.as(accessToken).get('/auth/me')
  assert.deepEqual([late.status, late.body.name], [401, 'authentication_error'])
})

test('a removed member is refused from the next request on', async () => {
  const { accessToken, refreshToken, user, team } = await signup()
  await posthorn.app.db.deleteFrom('team_members').where('user_id', '=', user.id).execute()
  assert.equal(await meStatus(accessToken), 401)
  assert.equal((await refresh(refreshToken)).status, 401)
  const login = await posthorn.anyone.post('/auth/login', { email: user.email, password })
  assert.deepEqual([login.status, login.body.user.id], [200, user.id])
  assert.notEqual(login.body.team.id, team.id, 'a person whose last team is gone gets a new one')
  await posthorn.app.db.deleteFrom('users').where('id', '=', user.id).execute()
  assert.equal((await refresh(refreshToken)).status, 401)
})

test('forged access tokens are refused: no algorithm, another key, another algorithm, audience, issuer, type or team', async () => {
  const { accessToken, user, team } = await signup()
  const other = await signup()
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString())
  const key = posthorn.app.keyring.key('jwt')
  const sign = (changes: object, header: object = {}, by = key) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header }).sign(by)
  assert.equal(await meStatus(await sign({})), 200, 'the forger’s workshop is in order')
  const [head, body] = accessToken.split('.')
  const forged = [
    new UnsecuredJWT(claims).encode(),
    `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${body}.`,
    `${head}.${body}.`,
    await sign({}, {}, createKeyring('another secret, of thirty-two bytes and more').key('jwt')),
    await sign({}, {}, posthorn.app.keyring.key('sign:jwt')),
    await sign({}, { alg: 'HS512' }),
    await sign({}, { typ: 'JWT' }),
    await sign({ aud: 'elsewhere' }),
    await sign({ iss: 'elsewhere' }),
    await sign({ exp: undefined }),
    await sign({ team: other.team.id }),
    await sign({ sub: other.user.id }),
    await sign({ team: 'not a uuid' }),
  ]
  for (const [index, token] of forged.entries()) assert.equal(await meStatus(token), 401, `forgery ${index}: ${token}`)
  assert.notEqual(user.id, team.id)
})

test('only a well-formed Authorization header is read, and an API key is not a user', async () => {
  const shop = await posthorn.team()
  const { accessToken } = await signup()
  const withHeader = (authorization: string) => posthorn.anyone.get('/auth/me', { authorization })
  for (const bad of [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${accessToken}`,
    accessToken,
    `Bearer ${accessToken} x`,
    'Bearer ph_x',
  ]) {
    assert.equal((await withHeader(bad)).status, 401, bad)
  }
  assert.equal((await withHeader(`bearer ${accessToken}`)).status, 200)
  for (const path of ['/auth/me', '/auth/2fa/status']) assert.equal((await shop.api.get(path)).status, 403)
  for (const path of ['/auth/2fa/setup', '/auth/2fa/verify', '/auth/2fa/disable']) {
    assert.equal((await shop.api.post(path, { code: '123456' })).status, 403)
  }
})
