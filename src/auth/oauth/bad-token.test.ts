import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mock, test } from 'node:test'
import { CompactSign, type CryptoKey, exportJWK, exportSPKI, generateKeyPair } from 'jose'
import { createTestApp } from '../../../test/app.ts'
import { serve } from '../../platform/egress/fixtures/loopback.ts'

/** A provider that answers every code with this token, or with this body. */
let answer: { token: string } | { body: string }
let userInfo: object = {}
const published: { status: number; keys: object[]; asked: number } = { status: 200, keys: [], asked: 0 }
const port = await serve((request, response) => {
  const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  if (request.url === '/.well-known/openid-configuration') {
    const endpoints = {
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
    }
    const id_token_signing_alg_values_supported = ['RS256', 'ES256', 'HS256', 'none']
    return void json({
      issuer,
      ...endpoints,
      authorization_endpoint: `${issuer}/auth`,
      id_token_signing_alg_values_supported,
    })
  }
  if (request.url === '/me') return void json(userInfo)
  if (request.url === '/keys') {
    published.asked++
    response.statusCode = published.status
    return void json({ keys: published.keys })
  }
  if ('body' in answer) return void response.setHeader('content-type', 'application/json').end(answer.body)
  json({ access_token: 'a', token_type: 'bearer', id_token: answer.token })
})
const issuer = `http://127.0.0.1:${port}`
const providers = { shop: { issuer, clientId: 'client', clientSecret: 'secret' } }
const posthorn = await createTestApp({ OAUTH_PROVIDERS: JSON.stringify(providers) })

const [rsa, ec, others] = [
  await generateKeyPair('RS256'),
  await generateKeyPair('ES256'),
  await generateKeyPair('RS256'),
]
const jwkOf = async (key: CryptoKey, kid: string) => ({ ...(await exportJWK(key)), kid, use: 'sig' })
published.keys = [await jwkOf(rsa.publicKey, 'rsa'), await jwkOf(ec.publicKey, 'ec')]

const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const sign = (claims: object, header: { alg: string; kid?: string }, key: CryptoKey | Uint8Array) =>
  new CompactSign(new TextEncoder().encode(JSON.stringify(claims))).setProtectedHeader(header).sign(key)
const tokenOf = (claims: object, header = { alg: 'RS256', kid: 'rsa' }) => sign(claims, header, rsa.privateKey)
const now = Math.floor(Date.now() / 1000)
const good = {
  iss: issuer,
  sub: 'ada',
  aud: 'client',
  iat: now,
  exp: now + 3600,
  email: 'ada@example.com',
  email_verified: true,
}

const signIn = (more: object = {}) => {
  const code = {
    provider: 'shop',
    code: 'c',
    redirectUri: 'http://127.0.0.1:9/',
    codeVerifier: 'v'.repeat(43),
    ...more,
  }
  return posthorn.anyone.post('/auth/oauth', code)
}

async function refusesToken(token: string, reason: RegExp) {
  answer = { token }
  const { status, body, text } = await signIn()
  assert.deepEqual([status, body.name], [401, 'authentication_error'], text)
  assert.match(body.message, /a token that fails its checks/)
  assert.match(body.message, reason)
  assert(!text.includes('secret-claim') && !text.includes(token), text)
}

test('a token that fails its checks is 401 and says which, and never shows itself', async () => {
  for (const [token, reason] of [
    [await tokenOf({ ...good, aud: 'another' }), /"aud"/],
    [await tokenOf({ ...good, iss: 'https://evil.test' }), /"iss"/],
    [await tokenOf({ ...good, exp: now - 600 }), /"exp"/],
    [await tokenOf({ ...good, exp: undefined }), /"exp"/],
    [await tokenOf({ ...good, sub: undefined }), /"sub"/],
    [await tokenOf({ ...good, sub: 'a\0b' }), /its subject is not text/],
    [await tokenOf({ ...good, sub: '' }), /its subject is not text of 1 to 255 characters/],
    [await tokenOf({ ...good, sub: randomBytes(3000).toString('base64') }), /its subject is not text of 1 to 255/],
    [(await tokenOf(good)).replace(/\..*\./, `.${base64('{"secret-claim')}.`), /JWT/],
    ['no-token', /JWT/],
    [`${base64({ alg: 'RSA-OAEP', enc: 'A128GCM' })}.a.b.c.d`, /JWE/],
  ] as const) {
    await refusesToken(token, reason)
  }
})

test('a token whose signature is not that of a key which the provider publishes is 401', async () => {
  const signed = await tokenOf(good)
  const changed = base64({ ...good, email: 'eve@example.com' })
  const publicKey = new TextEncoder().encode(await exportSPKI(rsa.publicKey))
  for (const [token, reason] of [
    [await sign(good, { alg: 'RS256', kid: 'rsa' }, others.privateKey), /signature/],
    [await sign(good, { alg: 'RS256' }, others.privateKey), /signature/],
    [await sign(good, { alg: 'RS256', kid: 'others' }, others.privateKey), /no applicable keys/],
    [await sign(good, { alg: 'ES256', kid: 'rsa' }, ec.privateKey), /no applicable keys/],
    [signed.replace(/\..*\./, `.${changed}.`), /signature/],
    [signed.replace(/[^.]*$/, ''), /signature/],
    [await sign(good, { alg: 'HS256', kid: 'rsa' }, publicKey), /JWS algorithm/],
    [`${base64({ alg: 'none' })}.${base64(good)}.`, /JWS "alg"/],
    [await sign(good, { alg: 'PS256', kid: 'rsa' }, (await generateKeyPair('PS256')).privateKey), /"alg"/],
  ] as const) {
    await refusesToken(token, reason)
  }
  for (const token of [signed, await sign(good, { alg: 'ES256', kid: 'ec' }, ec.privateKey)]) {
    answer = { token }
    assert.equal((await signIn()).status, 200)
  }
})

test('a new key of the provider is fetched when a token names it, at most once a minute', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  mock.timers.tick(61_000)
  published.keys = [await jwkOf(others.publicKey, 'next')]
  published.asked = 0
  answer = { token: await sign(good, { alg: 'RS256', kid: 'next' }, others.privateKey) }
  assert.equal((await signIn()).status, 200)
  for (const _ of [1, 2, 3]) await refusesToken(await tokenOf(good), /no applicable keys/)
  assert.equal(published.asked, 1)
  published.keys.push(await jwkOf(rsa.publicKey, 'rsa'))
  mock.timers.tick(61_000)
  answer = { token: await tokenOf(good) }
  assert.equal((await signIn()).status, 200)
  assert.equal(published.asked, 2)
})

test('a provider whose keys cannot be fetched is 502', async () => {
  mock.timers.tick(301_000)
  answer = { token: await tokenOf(good) }
  for (const status of [500, 404]) {
    published.status = status
    const refused = await signIn()
    assert.deepEqual([refused.status, refused.body.name], [502, 'provider_error'], refused.text)
  }
  published.status = 200
  assert.equal((await signIn()).status, 200)
  mock.timers.reset()
})

test('user info of another subject is 401, as is an answer without a token; what is no answer is 502', async () => {
  answer = { token: await tokenOf({ ...good, email: undefined }) }
  userInfo = { sub: 'eve', email: 'eve@example.com' }
  assert.equal((await signIn()).status, 401)
  for (const body of ['<html>', '{}']) {
    answer = { body }
    const refused = await signIn()
    assert.deepEqual([refused.status, refused.body.name], [502, 'provider_error'], body)
  }
  answer = { body: '{"access_token":"a","token_type":"bearer"}' }
  const refused = await signIn()
  assert.deepEqual([refused.status, refused.body.name], [401, 'authentication_error'])
  assert.match(refused.body.message, /without an ID token/)
  answer = { token: await tokenOf(good) }
  assert.equal((await signIn()).status, 200)
})
