import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { pluckRows } from '../../../test/pluck.ts'

const posthorn = await createTestApp({ TRUST_PROXY: '127.0.0.1' })
const minuteMs = 60_000

async function person() {
  const ada = await signUp(posthorn)
  /** The session with a new access token: the old one lives no longer than a login counts as new. */
  let { refreshToken } = ada
  const later = async (minutes: number) => {
    posthorn.clock.advance(minutes * minuteMs)
    const next = await posthorn.anyone.post('/auth/refresh', { refreshToken })
    refreshToken = next.body.refreshToken
    return posthorn.as(next.body.accessToken)
  }
  return { ...ada, later }
}

type Person = Awaited<ReturnType<typeof person>>

const newKey = (api: Person['api'], permission = 'full_access') => api.post('/v1/api-keys', { name: 'k', permission })

async function secretOf(api: Person['api']): Promise<TOTP> {
  const { body } = await api.post('/auth/2fa/setup')
  const app = new TOTP({ secret: body.secret })
  assert.equal((await api.post('/auth/2fa/verify', { code: codeOf(app) })).status, 200)
  return app
}

const codeOf = (app: TOTP) => app.generate({ timestamp: posthorn.clock.now().getTime() })

test('15 minutes after the login, adding a second factor and full keys ask for the password; a refresh is none', async () => {
  const ada = await person()
  assert.equal((await newKey(await ada.later(15))).status, 200, 'up to the last moment')
  const api = await ada.later(0.1)
  const small = await newKey(api, 'sending_access')
  assert.equal(small.status, 200)
  const raise = { permission: 'full_access' }
  const refused = [
    await newKey(api),
    await api.patch(`/v1/api-keys/${small.body.id}`, raise),
    await api.post('/auth/2fa/setup'),
    await api.post('/auth/2fa/verify', { code: '123456' }),
  ]
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.name], [403, 'reauthentication_required'])
    assert.match(body.message, /POST \/auth\/reauthenticate.*sign.* in again through its provider/)
  }
  assert.equal((await api.patch(`/v1/api-keys/${small.body.id}`, { name: 'Renamed' })).status, 200)
  const again = await api.post('/auth/reauthenticate', { password })
  const until = new Date(posthorn.clock.now().getTime() + 15 * minuteMs).toISOString()
  assert.deepEqual([again.status, again.body], [200, { reauthenticated: true, until }])
  assert.equal((await newKey(api)).status, 200)
  assert.equal((await api.patch(`/v1/api-keys/${small.body.id}`, raise)).status, 200)
  assert.equal((await newKey(await ada.later(15.1))).status, 403, 'and ends as the login’s did')
})

test('a code stands for the password, once, and a recovery code too', async () => {
  const ada = await person()
  const app = await secretOf(ada.api)
  const api = await ada.later(16)
  const code = codeOf(app)
  assert.equal((await api.post('/auth/reauthenticate', { code })).status, 200)
  const used = await api.post('/auth/reauthenticate', { code })
  assert.deepEqual([used.status, used.body.name], [400, 'invalid_two_factor_code'])
  assert.equal((await newKey(api)).status, 200)
})

test('the password counts for the login that gave it, not for others of the same person', async () => {
  const ada = await person()
  const there = await posthorn.anyone.post('/auth/login', { email: ada.email, password })
  const api = await ada.later(16)
  const next = await posthorn.anyone.post('/auth/refresh', { refreshToken: there.body.refreshToken })
  assert.equal((await api.post('/auth/reauthenticate', { password })).status, 200)
  assert.equal((await newKey(api)).status, 200)
  assert.equal((await newKey(posthorn.as(next.body.accessToken))).status, 403)
})

test('five wrong passwords or codes of a session are refused for 15 minutes, and change nothing', async () => {
  const ada = await person()
  const api = await ada.later(16)
  const tries = [{ password: 'wrong' }, { code: '000000' }, { password: '' }, {}, { password, code: '000000' }]
  const answers = await Promise.all(tries.map((body) => api.post('/auth/reauthenticate', body)))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.name]),
    [[400, 'invalid_password'], [400, 'invalid_two_factor_code'], ...[1, 2, 3].map(() => [400, 'validation_error'])],
  )
  const guesses = await Promise.all(
    Array.from({ length: 8 }, (_, n) => api.post('/auth/reauthenticate', { password: `guess ${n}` })),
  )
  assert.equal(guesses.filter(({ status }) => status === 400).length, 3, 'five in all, however many at once')
  assert.equal((await api.post('/auth/reauthenticate', { password })).status, 429)
  assert.equal((await newKey(api)).status, 403)
  assert.equal((await (await ada.later(16)).post('/auth/reauthenticate', { password })).status, 200)
})

test('API keys are not asked, and cannot answer', async () => {
  const shop = await posthorn.team()
  assert.equal((await newKey(shop.api)).status, 200)
  assert.equal((await shop.api.post('/auth/reauthenticate', { password })).status, 403)
})

test('the audit log says who gave the password again, without it', async () => {
  const ada = await person()
  await ada.api.post('/auth/reauthenticate', { password })
  const rows = await posthorn.app.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('team_id', '=', ada.team.id)
    .where('action', '=', 'session.reauthenticated')
    .execute()
  assert.deepEqual(pluckRows(rows, 'actor_type', 'target_type'), [['user', 'session']])
  assert.ok(!JSON.stringify(rows).includes(password))
})
