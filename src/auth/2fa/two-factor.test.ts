import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp, turnOnTwoFactor } from '../../../test/person.ts'

const posthorn = await createTestApp({ TRUST_PROXY: '127.0.0.1' })
let addresses = 0

const person = () => signUp(posthorn)

async function guarded() {
  const ada = await person()
  return { ...ada, ...(await turnOnTwoFactor(posthorn, ada.api)) }
}

function login(email: string, code?: string) {
  const address = `198.51.100.${++addresses % 250}`
  return posthorn.anyone.post(
    '/auth/login',
    { email, password, ...(code !== undefined && { code }) },
    { 'x-forwarded-for': address },
  )
}

test('two-factor is set up with a secret, a URL and a PNG, and is on once a code confirms it', async () => {
  const ada = await person()
  assert.deepEqual((await ada.api.get('/auth/2fa/status')).body, { enabled: false })
  const { status, body } = await ada.api.post('/auth/2fa/setup')
  assert.equal(status, 200)
  assert.match(body.secret, /^[A-Z2-7]{32}$/)
  assert.equal(
    body.otpauthUrl,
    `otpauth://totp/Posthorn:${encodeURIComponent(ada.email)}?issuer=Posthorn&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
  )
  assert.match(body.qrCode, /^data:image\/png;base64,iVBORw0KGgo/)
  assert.equal((await login(ada.email)).status, 200, 'an unconfirmed setup locks nobody out')
  const app = new TOTP({ secret: body.secret })
  const verified = await ada.api.post('/auth/2fa/verify', {
    code: app.generate({ timestamp: posthorn.clock.now().getTime() }),
  })
  assert.equal(verified.body.enabled, true)
  assert.equal(new Set(verified.body.recoveryCodes).size, 10)
  assert.deepEqual((await ada.api.get('/auth/2fa/status')).body, { enabled: true })
  assert.equal((await ada.api.get('/auth/me')).body.user.twoFactorEnabled, true)
})

test('login then asks for a code: none is two_factor_required, a wrong one invalid_two_factor_code', async () => {
  const ada = await guarded()
  const missing = await login(ada.email)
  assert.deepEqual([missing.status, missing.body.name], [401, 'two_factor_required'])
  const wrong = await login(ada.email, ada.code(40))
  assert.deepEqual([wrong.status, wrong.body.name], [401, 'invalid_two_factor_code'])
  const right = await login(ada.email, ada.code())
  assert.deepEqual([right.status, right.body.user.twoFactorEnabled], [200, true])
})

test('codes are accepted one step early or late, with a blank in the middle, and no further', async () => {
  const ada = await guarded()
  assert.equal((await login(ada.email, ada.code(-2))).status, 401)
  assert.equal((await login(ada.email, ada.code(2))).status, 401)
  assert.equal((await login(ada.email, ada.code(-1))).status, 200)
  assert.equal((await login(ada.email, ada.code().replace(/^.../, '$& '))).status, 200)
  assert.equal((await login(ada.email, ada.code(1))).status, 200)
})

test('each code works once, also for concurrent requests', async () => {
  const ada = await guarded()
  const code = ada.code()
  const racing = await Promise.all(Array.from({ length: 5 }, () => login(ada.email, code)))
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
  const bob = await guarded()
  assert.equal((await login(bob.email, bob.recoveryCodes[0])).status, 200)
  assert.equal((await login(bob.email, bob.recoveryCodes[0])).body.name, 'invalid_two_factor_code')
  assert.equal((await login(bob.email, bob.recoveryCodes[1]?.toUpperCase().replaceAll('-', ' '))).status, 200)
  assert.equal((await login(ada.email, bob.recoveryCodes[2])).status, 401, 'another person’s is none')
})

test('the code that confirmed the setup is used up', async () => {
  const ada = await person()
  const { body } = await ada.api.post('/auth/2fa/setup')
  const code = new TOTP({ secret: body.secret }).generate({ timestamp: posthorn.clock.now().getTime() })
  const racing = await Promise.all([1, 2, 3].map(() => ada.api.post('/auth/2fa/verify', { code })))
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 409, 409])
  assert.equal((await login(ada.email, code)).status, 401)
})

test('a wrong code at verify or disable is 400, and five wrong ones are 429, the right one too', async () => {
  const ada = await guarded()
  const bad = await ada.api.post('/auth/2fa/disable', { code: ada.code(20) })
  assert.deepEqual([bad.status, bad.body.name], [400, 'invalid_two_factor_code'])
  for (let tries = 2; tries <= 5; tries++) await ada.api.post('/auth/2fa/disable', { code: 'aaaa-bbbb-cccc' })
  const throttled = await ada.api.post('/auth/2fa/disable', { code: ada.code() })
  assert.deepEqual([throttled.status, throttled.headers['retry-after']], [429, '900'])
  const bob = await person()
  await bob.api.post('/auth/2fa/setup')
  const wrong = await bob.api.post('/auth/2fa/verify', { code: 'abcdef' })
  assert.deepEqual([wrong.status, wrong.body.name], [400, 'invalid_two_factor_code'])
})

test('disabling takes a code or a recovery code, and voids the other recovery codes', async () => {
  const ada = await guarded()
  const disabled = await ada.api.post('/auth/2fa/disable', { code: ada.recoveryCodes[3] })
  assert.deepEqual([disabled.status, disabled.body], [200, { enabled: false }])
  assert.equal((await login(ada.email)).status, 200)
  assert.deepEqual(await secretsOf(ada.user.id), { totp_secret: null, totp_pending_secret: null, totp_last_step: null })
  assert.equal((await ada.api.post('/auth/2fa/disable', { code: ada.code() })).status, 409)
  const bob = await guarded()
  assert.equal((await bob.api.post('/auth/2fa/disable', { code: bob.code() })).status, 200)
})

test('setup is refused while two-factor is on, verify without a setup, and a later setup replaces an earlier one', async () => {
  const ada = await guarded()
  assert.equal((await ada.api.post('/auth/2fa/setup')).status, 409)
  assert.equal((await ada.api.post('/auth/2fa/verify', { code: ada.code() })).status, 409)
  const bob = await person()
  assert.equal((await bob.api.post('/auth/2fa/verify', { code: '123456' })).status, 409)
  const first = await bob.api.post('/auth/2fa/setup')
  const second = await bob.api.post('/auth/2fa/setup')
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: posthorn.clock.now().getTime() })
  assert.equal((await bob.api.post('/auth/2fa/verify', { code: codeOf(first.body.secret) })).status, 400)
  assert.equal((await bob.api.post('/auth/2fa/verify', { code: codeOf(second.body.secret) })).status, 200)
})

test('secrets are stored encrypted, and recovery codes hashed', async () => {
  const ada = await guarded()
  const sealed = await secretsOf(ada.user.id)
  assert.match(sealed?.totp_secret ?? '', /^v2\./)
  const rows = await posthorn.app.db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', ada.user.id)
    .execute()
  assert.deepEqual(
    rows.map(({ code_hash }) => code_hash.length),
    Array(10).fill(32),
  )
})

function secretsOf(userId: string) {
  return posthorn.app.db
    .selectFrom('users')
    .select(['totp_secret', 'totp_pending_secret', 'totp_last_step'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
