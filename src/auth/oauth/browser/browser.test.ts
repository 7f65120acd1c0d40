import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import { createTestApp } from '../../../../test/app.ts'
import { clientSecret, type Person, startProvider } from '../fixtures/open-id-provider.ts'

const people = new Map<string, Person>()
const callback = 'http://localhost:3000/auth/oauth/work/callback'
const peer = await startProvider(people, { callbacks: [callback] })
const client = { issuer: peer.issuer, clientId: 'basic', clientSecret }
const gone = { ...client, issuer: 'http://127.0.0.1:9' }
const posthorn = await createTestApp({ OAUTH_PROVIDERS: JSON.stringify({ work: client, other: client, gone }) })
const password = 'a long and winding road'
const origin = 'http://localhost:3000'

async function get(url: string, cookie?: string) {
  const { statusCode, headers } = await posthorn.server.inject({ url, headers: { ...(cookie && { cookie }) } })
  const cookies = [headers['set-cookie'] ?? []].flat()
  const cookieOf = (name: string) => cookies.find((each) => each.startsWith(`${name}=`))?.split(';')[0]
  return {
    status: statusCode,
    location: String(headers.location),
    headers,
    cookies,
    session: cookieOf('posthorn_3000'),
  }
}

async function begin(next?: string, session?: string) {
  const began = await get(`/auth/oauth/work${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`, session)
  assert.equal(began.status, 302)
  return { ...began, cookie: began.cookies[0]!.split(';')[0]! }
}

/** Signs in at the provider, and returns the path of our callback with its answer. */
async function answerFor(subject: string, location: string) {
  const { pathname, search } = new URL(await peer.follow(`${location}&login_hint=${subject}`))
  return pathname + search
}

async function signIn(subject: string, next?: string) {
  const { location, cookie } = await begin(next)
  const answer = await answerFor(subject, location)
  return { cookie, answer, finished: await get(answer, cookie) }
}

const failed = (reason: string, next = '%2Fapp') => `/app/sign-in?failed=${reason}&next=${next}`

test('a browser is led to the provider with state, nonce and PKCE, and keeps them in an encrypted Lax cookie of ten minutes', async () => {
  const { location, cookies, headers } = await begin()
  const { origin: at, searchParams } = new URL(location)
  assert.equal(at, peer.issuer)
  const sent = Object.fromEntries(searchParams)
  assert.deepEqual(
    [sent.redirect_uri, sent.response_type, sent.scope, sent.code_challenge_method],
    [callback, 'code', 'openid email profile', 'S256'],
  )
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(sent[name] ?? '', /^[\w-]{43}$/, name)
  assert.match(cookies[0]!, /^posthorn-oauth_3000=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  assert.ok(!cookies[0]!.includes(sent.state!))
  assert.equal(headers['cache-control'], 'no-store')
})

test('a sign-in ends in a browser session on the page that was wanted', async () => {
  people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' })
  const { finished } = await signIn('ada', '/app/emails?status=sent')
  assert.deepEqual([finished.status, finished.location], [302, '/app/emails?status=sent'])
  assert.match(
    finished.cookies.join('\n'),
    /posthorn_3000=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict/,
  )
  assert.match(finished.cookies.join('\n'), /posthorn-oauth_3000=; Path=\/; Max-Age=0/)
  const headers = { cookie: finished.session!, origin }
  const me = await posthorn.server.inject({ url: '/auth/me', headers })
  assert.deepEqual([me.statusCode, me.json().user.email], [200, 'ada@example.com'])
})

test('a sign-in through a provider ends the session that the browser had before', async () => {
  for (const subject of ['kurt', 'emil']) people.set(subject, { email: `${subject}@example.com`, email_verified: true })
  const { session } = (await signIn('kurt')).finished
  const status = async () => (await get('/auth/me', session)).status
  assert.equal(await status(), 200)
  const { location, cookie } = await begin('/app', session)
  assert.equal(await status(), 200, 'a sign-in that is only begun ends nothing')
  // The redirect of the provider comes from another site, so the browser leaves its Strict cookie out.
  assert.ok((await get(await answerFor('emil', location), cookie)).session)
  assert.equal(await status(), 401)
})

test('next leads nowhere outside the dashboard', async () => {
  people.set('nora', { email: 'nora@example.com', email_verified: true })
  const elsewhere = [
    'https://evil.test/app',
    '//evil.test/app',
    '/\\evil.test',
    '/app\\..',
    '/app/../auth/me',
    '/app/%2e%2e/docs',
  ]
  for (const next of [...elsewhere, '/apples', '/auth/me', '/app/\n', 'app', '']) {
    assert.equal((await signIn('nora', next)).finished.location, '/app', next)
  }
})

test('a long next is dropped, since browsers drop a cookie of more than 4 kB', async () => {
  for (const next of [`/app/${'x'.repeat(995)}`, `/app/${'\u00e9'.repeat(995)}`]) {
    const { cookie } = await begin(next)
    assert.ok(cookie.length < 4096, `${cookie.length}`)
  }
})

test('an answer without the state, with another one, or for another browser signs nobody in', async () => {
  people.set('alan', { email: 'alan@example.com', email_verified: true })
  const { location, cookie } = await begin()
  const answer = await answerFor('alan', location)
  const { cookie: others } = await begin()
  const attempts: [string, string?][] = [
    [answer],
    [answer, others],
    [answer.replace(/state=[^&]+/, 'state=x'), cookie],
    [answer.replace(/&?state=[^&]+/, ''), cookie],
    [`${answer}&state=x`, cookie],
    [answer, cookie.slice(0, -6)],
    [answer, `${cookie}; ${cookie}`],
    [answer.replace('oauth/work', 'oauth/other'), cookie],
  ]
  for (const [url, sent] of attempts) {
    const refused = await get(url, sent)
    assert.deepEqual([refused.status, refused.location, refused.cookies], [302, failed('expired'), []], url)
  }
  assert.equal((await get(answer, cookie)).location, '/app', 'the browser that began it is signed in')
})

test('an answer that is replayed signs nobody in', async () => {
  people.set('edsger', { email: 'edsger@example.com', email_verified: true })
  const { answer, cookie, finished } = await signIn('edsger')
  assert.ok(finished.session)
  const again = await get(answer, cookie)
  assert.deepEqual([again.location, again.session], [failed('refused'), undefined])
})

test('a sign-in takes ten minutes at most', async () => {
  people.set('tony', { email: 'tony@example.com', email_verified: true })
  const { location, cookie } = await begin()
  const answer = await answerFor('tony', location)
  posthorn.clock.advance(600_000)
  assert.equal((await get(answer, cookie)).location, failed('expired'))
})

test('an address that the provider or the account has not verified joins no account', async () => {
  await posthorn.anyone.post('/auth/signup', { email: 'grace@example.com', password })
  for (const email_verified of [false, true]) {
    people.set('grace', { email: 'grace@example.com', email_verified })
    const { finished } = await signIn('grace', '/app/inbox')
    assert.deepEqual([finished.location, finished.session], [failed('unverified', '%2Fapp%2Finbox'), undefined])
  }
})

test('an account with two-factor is asked for its code at each sign-in', async () => {
  people.set('mary', { email: 'mary@example.com', email_verified: true })
  const { finished } = await signIn('mary')
  const ask = async (method: 'POST', url: string, payload: object) =>
    (await posthorn.server.inject({ method, url, payload, headers: { cookie: finished.session!, origin } })).json()
  const { otpauthUrl } = await ask('POST', '/auth/2fa/setup', {})
  const authenticator = URI.parse(otpauthUrl) as TOTP
  const code = () => authenticator.generate({ timestamp: posthorn.clock.now().getTime() })
  await ask('POST', '/auth/2fa/verify', { code: code() })
  for (let turn = 0; turn < 2; turn++) {
    posthorn.clock.advance(150_000)
    const again = await signIn('mary', '/app/inbox')
    assert.equal(again.finished.session, undefined)
    const [, pendingToken] = /^\/app\/sign-in\?next=%2Fapp%2Finbox#pending=(.+)$/.exec(again.finished.location) ?? []
    const body = { pendingToken: decodeURIComponent(pendingToken!), twoFactorCode: '000000' }
    const wrong = await posthorn.anyone.post('/auth/oauth', body)
    assert.deepEqual([wrong.status, wrong.body.name], [401, 'invalid_two_factor_code'])
    const right = { pendingToken: wrong.body.pendingToken, twoFactorCode: code() }
    const session = await posthorn.anyone.post('/auth/oauth', right)
    assert.deepEqual([session.status, session.body.user?.email], [200, 'mary@example.com'], session.text)
    assert.equal((await posthorn.anyone.post('/auth/oauth', right)).status, 401, 'a code works once')
  }
})

test('a code that was asked for with the address of the browser’s callback signs in nowhere without the second factor', async () => {
  people.set('vera', { email: 'vera@example.com', email_verified: true })
  const { finished } = await signIn('vera')
  const { id } = (
    await posthorn.server.inject({ url: '/auth/me', headers: { cookie: finished.session!, origin } })
  ).json().user
  await posthorn.app.db.updateTable('users').set({ totp_secret: 'sealed' }).where('id', '=', id).execute()
  const codeVerifier = 'x'.repeat(43)
  const query = {
    ...{ client_id: 'basic', response_type: 'code', redirect_uri: callback, scope: 'openid email profile', state: 'x' },
    ...{ code_challenge: hash('sha256', codeVerifier, 'base64url'), code_challenge_method: 'S256' },
  }
  const page = (await begin()).location.split('?')[0]!
  const answer = await answerFor('vera', `${page}?${new URLSearchParams(query)}`)
  const code = new URL(answer, origin).searchParams.get('code')
  const taken = { provider: 'work', code, redirectUri: callback, codeVerifier }
  const { status, body } = await posthorn.anyone.post('/auth/oauth', taken)
  assert.deepEqual([status, body.name, 'accessToken' in body], [401, 'two_factor_required', false])
})

test('a sign-in that is refused at the provider, or cannot reach it, leads back to the sign-in page', async () => {
  const { location, cookie } = await begin('/app/inbox')
  const state = new URL(location).searchParams.get('state')
  for (const [error, reason] of [
    ['access_denied', 'cancelled'],
    ['server_error', 'refused'],
  ]) {
    const { location: page } = await get(`/auth/oauth/work/callback?state=${state}&error=${error}`, cookie)
    assert.equal(page, failed(reason!, '%2Fapp%2Finbox'))
  }
  const unreachable = await get('/auth/oauth/gone')
  assert.deepEqual([unreachable.location, unreachable.cookies], [failed('unavailable'), []])
})

test('an unknown provider is 404', async () => {
  for (const url of ['/auth/oauth/nobody', '/auth/oauth/nobody/callback?code=x&state=y', '/auth/oauth/__proto__']) {
    assert.equal((await get(url)).status, 404, url)
  }
})
