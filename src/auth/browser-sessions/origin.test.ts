import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { signUp } from '../../../test/person.ts'
import { productionEnvironment } from '../../../test/production.ts'
import { issueStartToken } from '../account-tokens/issue.ts'
import { browsersOf, cookieOf, origin } from './fixtures/browser.ts'

const posthorn = await createTestApp()
const { send, exchange, browser } = browsersOf(posthorn)

const secure = await createTestApp({ ...productionEnvironment, SIGNUP: 'open', PUBLIC_URL: 'https://mail.example.com' })
const overTls = browsersOf(secure)

test('behind https the cookie is Secure and bound to the host, and Origin is PUBLIC_URL or the host’s', async () => {
  const { refreshToken } = await signUp(secure)
  for (const foreign of [
    'http://mail.example.com',
    'https://mail.example.com:444',
    'https://mail.example.com.evil.test',
  ]) {
    assert.equal((await overTls.exchange({ refreshToken }, { origin: foreign })).status, 403, foreign)
  }
  const hosts = { origin: 'https://other.example.com', host: 'Other.example.com:443' }
  const opened = await overTls.exchange({ refreshToken }, hosts)
  assert.match(
    opened.setCookie,
    /^__Host-posthorn=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
  )
  const cookie = cookieOf(opened.setCookie)
  assert.equal((await overTls.send('GET', '/auth/me', { cookie })).status, 200)
  const plain = cookie.replace('__Host-posthorn', 'posthorn_3000')
  assert.equal((await overTls.send('GET', '/auth/me', { cookie: plain })).status, 401)
  const from = { cookie, origin: 'https://mail.example.com' }
  assert.equal((await overTls.send('DELETE', '/auth/session', from)).status, 200)
})

test('a cookie changes nothing for another page: Origin missing, null, with another port, scheme, host or a path', async () => {
  const { ask, cookie } = await browser()
  const foreign = ['null', 'http://localhost:3001', 'https://localhost:3000', 'http://evil.test', `${origin}/`, '']
  for (const other of [undefined, ...foreign, 'http://localhost:3000.evil.test', 'HTTP://LOCALHOST:3000']) {
    const headers: Record<string, string> = other === undefined ? {} : { origin: other }
    for (const answer of [
      await ask('POST', '/v1/contacts', { email: 'eve@people.test' }, headers),
      await ask('DELETE', '/auth/session', undefined, headers),
      await ask('PATCH', '/v1/contacts/01890a5d-ac96-774b-bcce-b302099a8057', {}, headers),
    ]) {
      assert.deepEqual([answer.status, answer.body.name], [403, 'authorization_error'], String(other))
      assert.match(answer.body.message, /Open http:\/\/localhost:3000 instead, or set PUBLIC_URL to/)
    }
  }
  const forged = { cookie, 'sec-fetch-site': 'same-origin', referer: `${origin}/app` }
  assert.equal((await send('POST', '/v1/contacts', forged, { email: 'eve@people.test' })).status, 403)
  assert.deepEqual((await ask('GET', '/v1/contacts')).body.data, [])
  const byHost = { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }
  assert.equal((await ask('POST', '/v1/contacts', { email: 'ada@people.test' }, byHost)).status, 200)
})

test('opening a session from another page is 403 and uses nothing up', async () => {
  const { refreshToken, user } = await signUp(posthorn)
  const startToken = await posthorn.app.transaction((tx) => issueStartToken(tx, user.id))
  for (const headers of [{}, { origin: 'null' }, { origin: 'http://localhost:3001' }] as Record<string, string>[]) {
    for (const body of [{ refreshToken }, { startToken }]) {
      const answer = await exchange(body, headers)
      assert.deepEqual([answer.status, answer.setCookie], [403, ''])
    }
  }
  assert.equal((await exchange({ refreshToken })).status, 200)
  assert.equal((await exchange({ startToken })).status, 200)
})

test('Authorization goes before the cookie, also when it is wrong', async () => {
  const { cookie } = await browser()
  const other = await signUp(posthorn)
  const asked = await send('GET', '/auth/me', { cookie, authorization: `Bearer ${other.accessToken}` })
  assert.equal(asked.body.user.id, other.user.id)
  assert.equal((await send('GET', '/auth/me', { cookie, authorization: 'Bearer nonsense' })).status, 401)
  const shop = await posthorn.team()
  const key = { cookie, authorization: `Bearer ${shop.key}` }
  assert.equal((await send('GET', '/auth/me', key)).status, 403, 'a key is not the user of the cookie')
  assert.equal(
    (await send('POST', '/v1/contacts', key, { email: 'key@people.test' })).status,
    200,
    'and needs no Origin',
  )
})

test('two cookies of our name, a foreign one and one of 8 kB are no session; others are ignored', async () => {
  const [ada, eve] = [await browser(), await browser()]
  const name = 'posthorn_3000'
  for (const cookie of [
    `${ada.cookie}; ${eve.cookie}`,
    `${ada.cookie}; ${ada.cookie}`,
    `${name}=`,
    `${name}=${'x'.repeat(8192)}`,
    `${name}="${ada.cookie.split('=')[1]}"`,
    `${ada.cookie}\u00e9`,
    `${name}=${'A'.repeat(43)}`,
  ]) {
    assert.equal((await send('GET', '/auth/me', { cookie })).status, 401, cookie.slice(0, 100))
  }
  const beside = `theme=dark; posthorn_3001=${'A'.repeat(43)};${ada.cookie} ; x${eve.cookie}`
  assert.equal((await send('GET', '/auth/me', { cookie: beside })).body.user.id, ada.user.id)
  assert.equal((await send('GET', '/auth/me', { cookie: 'theme=dark' })).status, 401)
})
