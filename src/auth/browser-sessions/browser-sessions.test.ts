import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { issueStartToken } from '../account-tokens/issue.ts'
import { sessionUses } from '../sessions/note-use.ts'
import { browsersOf, cookieOf, origin } from './fixtures/browser.ts'

const posthorn = await createTestApp()
const { send, exchange, browser } = browsersOf(posthorn)
const dayMs = 24 * 3_600_000

test('a refresh token becomes an HttpOnly cookie, with which the caller is the same user', async () => {
  const { opened, cookie, user, accessToken, ask } = await browser()
  const me = await posthorn.as(accessToken).get('/auth/me')
  assert.deepEqual(opened.body, me.body)
  assert.match(
    opened.setCookie,
    /^posthorn_3000=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    'without Secure on http',
  )
  assert.deepEqual((await ask('GET', '/auth/me', undefined, {})).body, me.body)
  assert.equal((await ask('HEAD', '/auth/me', undefined, {})).status, 200)
  assert.equal((await ask('POST', '/v1/contacts', { email: `${user.id}@people.test` })).status, 200)
  assert.equal((await ask('GET', '/v1/contacts')).body.data.length, 1)
  const [session] = (await ask('GET', '/auth/sessions')).body.data
  assert.equal(session.current, true)
  const rows = await posthorn.app.db.selectFrom('refresh_tokens').selectAll().where('user_id', '=', user.id).execute()
  assert.ok(!JSON.stringify(rows).includes(cookie.split('=')[1]!), 'only a hash is kept')
})

test('a used refresh token opens nothing, and used again later it ends the session', async () => {
  const { refreshToken, ask } = await browser()
  assert.equal((await exchange({ refreshToken })).status, 401)
  assert.equal((await ask('GET', '/auth/me')).status, 200, 'a double click ends nothing')
  posthorn.clock.advance(10_001)
  assert.equal((await exchange({ refreshToken })).status, 401)
  assert.equal((await ask('GET', '/auth/me')).status, 401, 'one of its two holders stole it')
  const again = await browser()
  const refreshed = await posthorn.anyone.post('/auth/refresh', { refreshToken: again.refreshToken })
  assert.equal(refreshed.status, 401, 'no refresh token is left')
  assert.equal((await again.ask('GET', '/auth/me')).status, 200)
  posthorn.clock.advance(10_001)
  await posthorn.anyone.post('/auth/refresh', { refreshToken: again.refreshToken })
  assert.equal((await again.ask('GET', '/auth/me')).status, 401)
})

test('a token that was refreshed within ten seconds opens nothing, and does not end the login', async () => {
  const { refreshToken } = await signUp(posthorn)
  const second = await posthorn.anyone.post('/auth/refresh', { refreshToken })
  const third = await posthorn.anyone.post('/auth/refresh', { refreshToken: second.body.refreshToken })
  assert.equal((await exchange({ refreshToken })).status, 401)
  assert.equal((await exchange({ refreshToken: third.body.refreshToken })).status, 200)
})

test('of several exchanges of one token at once exactly one succeeds, and its session lives', async () => {
  const { refreshToken, user } = await signUp(posthorn)
  const startToken = await posthorn.app.transaction((tx) => issueStartToken(tx, user.id))
  for (const body of [{ refreshToken }, { startToken }]) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    const won = answers.find(({ status }) => status === 200)!
    assert.ok(answers.every(({ status, setCookie }) => (status === 200) === (setCookie !== '')))
    assert.equal((await send('GET', '/auth/me', { cookie: cookieOf(won.setCookie) })).status, 200)
  }
})

test('a start token works once, for ten minutes, and a newer one ends it', async () => {
  const { user } = await signUp(posthorn)
  const issue = () => posthorn.app.transaction((tx) => issueStartToken(tx, user.id))
  const [older, newer] = [await issue(), await issue()]
  assert.equal((await exchange({ startToken: older })).status, 401)
  const opened = await exchange({ startToken: newer })
  assert.deepEqual([opened.status, opened.body.user.id], [200, user.id])
  assert.equal((await exchange({ startToken: newer })).status, 401)
  const late = await issue()
  posthorn.clock.advance(10 * 60_000)
  assert.equal((await exchange({ startToken: late })).status, 401)
  const reset = await posthorn.anyone.post('/auth/password/reset', {
    token: await issue(),
    password: 'another long road',
  })
  assert.equal(reset.status, 400, 'it is good for nothing else')
})

test('a start token ends with a new password', async () => {
  const { user, accessToken } = await signUp(posthorn)
  const startToken = await posthorn.app.transaction((tx) => issueStartToken(tx, user.id))
  const passwords = { currentPassword: password, password: 'another long road' }
  const changed = await posthorn.as(accessToken).post('/auth/password', passwords)
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await exchange({ startToken })).status, 401)
})

test('exactly one token is taken', async () => {
  const { refreshToken } = await signUp(posthorn)
  for (const body of [{}, { refreshToken, startToken: 'x' }, { refreshToken, x: 1 }, { startToken: '' }]) {
    assert.equal((await exchange(body)).status, 400)
  }
  assert.equal((await exchange({ refreshToken: 'nonsense' })).status, 401)
  assert.equal((await exchange({ refreshToken: 'x'.repeat(70_000) })).status, 401)
  assert.equal((await exchange({ startToken: 'nonsense' })).status, 401)
  assert.equal((await exchange({ refreshToken })).status, 200)
})

test('the value of a cookie is always new, and the session of the one before ends', async () => {
  const [ada, eve] = [await browser(), await signUp(posthorn)]
  const planted = `posthorn_3000=${'B'.repeat(43)}`
  const fixed = await exchange({ refreshToken: eve.refreshToken }, { origin, cookie: planted })
  assert.notEqual(cookieOf(fixed.setCookie), planted)
  assert.equal((await send('GET', '/auth/me', { cookie: planted })).status, 401)
  const next = await exchange({ refreshToken: (await signUp(posthorn)).refreshToken }, { origin, cookie: ada.cookie })
  assert.equal(next.status, 200)
  assert.equal((await ada.ask('GET', '/auth/me')).status, 401)
})

test('signing out ends the session and takes the cookie away', async () => {
  const { ask, accessToken } = await browser()
  const out = await ask('DELETE', '/auth/session')
  assert.deepEqual([out.status, out.body], [200, { revoked: true }])
  assert.match(out.setCookie, /^posthorn_3000=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/)
  assert.equal((await ask('GET', '/auth/me')).status, 401)
  assert.equal((await posthorn.as(accessToken).get('/auth/me')).status, 401)
  const { accessToken: other } = await signUp(posthorn)
  const byToken = await send('DELETE', '/auth/session', { authorization: `Bearer ${other}` })
  assert.deepEqual([byToken.status, byToken.setCookie], [200, ''])
  assert.equal((await posthorn.as(other).get('/auth/me')).status, 401)
})

test('a login that ends takes its cookie with it: deleted from the list, logged out, removed from the team', async () => {
  const endings: ((one: Awaited<ReturnType<typeof browser>>) => Promise<unknown>)[] = [
    async ({ ask }) => ask('DELETE', `/auth/sessions/${(await ask('GET', '/auth/sessions')).body.data[0].id}`),
    ({ refreshToken }) => posthorn.anyone.post('/auth/logout', { refreshToken }),
    ({ user }) => posthorn.app.db.deleteFrom('team_members').where('user_id', '=', user.id).execute(),
  ]
  for (const end of endings) {
    const ada = await browser()
    await end(ada)
    const answer = await ada.ask('GET', '/v1/contacts')
    assert.deepEqual([answer.status, answer.body.name], [401, 'authentication_error'])
  }
})

test('a session ends 30 days after its last use, and 90 days after its login', async () => {
  const [used, unused] = [await browser(), await browser()]
  for (let day = 29; day <= 87; day += 29) {
    posthorn.clock.advance(29 * dayMs)
    const me = await used.ask('GET', '/auth/me', undefined, {})
    assert.equal(me.status, 200, `day ${day}`)
    assert.match(me.setCookie, /Max-Age=2592000/, 'the browser’s copy starts again')
    assert.equal(cookieOf(me.setCookie), used.cookie)
    await sessionUses.flush(posthorn.app)
  }
  assert.equal((await unused.ask('GET', '/auth/me')).status, 401)
  posthorn.clock.advance(3 * dayMs - 1)
  assert.equal((await used.ask('GET', '/auth/me')).status, 200)
  posthorn.clock.advance(1)
  assert.equal((await used.ask('GET', '/auth/me')).status, 401)
})

test('a browser has 600 requests a minute of its own, also on a plan with 60', async () => {
  posthorn.clock.advance(60_000)
  const { ask, accessToken } = await browser()
  const first = await ask('GET', '/auth/me')
  assert.deepEqual([first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']], ['600', '599'])
  const byToken = await posthorn.as(accessToken).get('/auth/me')
  assert.deepEqual([byToken.headers['x-ratelimit-limit'], byToken.headers['x-ratelimit-remaining']], ['60', '59'])
})

test('the extra of a browser is for what it reads: what it changes counts with the user’s other requests, at the plan’s limit', async () => {
  posthorn.clock.advance(60_000)
  const { ask, accessToken } = await browser()
  const limits = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => {
    const { headers } = await ask(method, url, body)
    return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
  }
  const topic = { name: 'News', defaultSubscription: 'opt_in' }
  assert.deepEqual(await limits('POST', '/v1/topics', topic), ['60', '59'])
  assert.deepEqual(await limits('DELETE', '/v1/topics/01a206e8-0000-7000-8000-000000000000'), ['60', '58'])
  assert.deepEqual(await limits('POST', '/v1/previews', { kind: 'email', text: 'Hello' }), ['600', '599'])
  assert.deepEqual(await limits('GET', '/v1/topics'), ['600', '598'])
  const byToken = await posthorn.as(accessToken).get('/auth/me')
  assert.equal(byToken.headers['x-ratelimit-remaining'], '57')
  for (let turn = 0; turn < 57; turn++) await ask('POST', '/v1/topics', {})
  const refused = await ask('POST', '/v1/topics', topic)
  assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'])
  assert.equal((await ask('GET', '/v1/topics')).status, 200)
})

test('a login of 15 minutes asks a browser for the password again too', async () => {
  const { ask } = await browser()
  posthorn.clock.advance(16 * 60_000)
  assert.equal((await ask('POST', '/auth/2fa/setup')).body.name, 'reauthentication_required')
  assert.equal((await ask('POST', '/auth/reauthenticate', { password })).status, 200)
  assert.equal((await ask('POST', '/auth/2fa/setup')).status, 200)
})
