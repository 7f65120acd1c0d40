import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp, turnOnTwoFactor } from '../../../test/person.ts'
import { slowTest } from '../../../test/slow.ts'

const posthorn = await createTestApp({ TRUST_PROXY: '127.0.0.1' })
const [home, office, elsewhere] = ['203.0.113.1', '203.0.113.2', '203.0.113.3']
let attacks = 0

function from(address: string) {
  const headers = { 'x-forwarded-for': address }
  return (path: string, body: object) => posthorn.anyone.post(path, body, headers)
}

/** Signs a person up from a network that counts as known. */
async function person() {
  const { email, api } = await signUp(posthorn, {}, { 'x-forwarded-for': home })
  const login = async (address: string, tried = password) =>
    (await from(address)('/auth/login', { email, password: tried })).status
  return { email, api, login }
}

/** Fails five logins, each from another address. */
async function attack(login: (address: string, tried: string) => Promise<number>) {
  for (let bad = 1; bad <= 5; bad++) assert.equal(await login(`198.51.100.${++attacks % 250}`, 'a guess'), 401)
}

test('strangers’ bad passwords do not lock a person out where they have signed in before', async () => {
  const ada = await person()
  assert.equal(await ada.login(office), 200)
  await attack(ada.login)
  assert.equal(await ada.login(elsewhere), 429, 'of networks that are not known all share five tries')
  assert.deepEqual([await ada.login(home), await ada.login(office)], [200, 200])
  assert.equal(await ada.login(elsewhere), 429, 'nor does a success end the count')
  posthorn.clock.advance(15 * 60_000)
  assert.equal(await ada.login(elsewhere), 200)
  await attack(ada.login)
  assert.equal(await ada.login(elsewhere), 200, 'it is known by now')
})

test('a known network has five separate tries, and then the right password must wait too', async () => {
  const ada = await person()
  assert.equal(await ada.login(office), 200)
  await attack(ada.login)
  for (let bad = 1; bad <= 5; bad++) assert.equal(await ada.login(home, 'a typo'), 401)
  assert.equal(await ada.login(home), 429)
  assert.equal(await ada.login(office), 200)
  assert.equal(await ada.login(home, 'a typo'), 429)
})

test('exactly five of many concurrent guesses from a known network are answered', async () => {
  const ada = await person()
  const tries = await Promise.all(Array.from({ length: 10 }, () => ada.login(home, 'a guess')))
  assert.deepEqual(tries.sort(), [...Array(5).fill(401), ...Array(5).fill(429)])
})

test('one person’s known network is not known for another person', async () => {
  const [ada, bob] = [await person(), await person()]
  assert.equal(await ada.login(office), 200)
  await attack(bob.login)
  assert.equal(await bob.login(office), 429)
})

test('the right password without the second factor makes no network known', async () => {
  const ada = await person()
  const { code } = await turnOnTwoFactor(posthorn, ada.api)
  assert.equal(await ada.login(elsewhere), 401)
  await attack(ada.login)
  assert.equal(await ada.login(elsewhere), 429)
  const good = await from(home)('/auth/login', { email: ada.email, password, code: code() })
  assert.equal(good.status, 200)
})

test('strangers’ bad passwords do not keep a signed-in person from changing their second factor', async () => {
  const ada = await person()
  await attack(ada.login)
  const { code } = await turnOnTwoFactor(posthorn, ada.api)
  assert.equal((await ada.api.post('/auth/2fa/disable', { code: code() })).status, 200)
})

test('wrong codes of a session delay that session, but neither another session nor a login', async () => {
  const ada = await person()
  const { code } = await turnOnTwoFactor(posthorn, ada.api)
  const login = () => from(office)('/auth/login', { email: ada.email, password, code: code() })
  const other = posthorn.as((await login()).body.accessToken)
  for (let bad = 1; bad <= 5; bad++) {
    assert.equal((await ada.api.post('/auth/2fa/disable', { code: 'aaaa-bbbb-cccc' })).status, 400)
  }
  posthorn.clock.advance(60_000)
  assert.equal((await ada.api.post('/auth/2fa/disable', { code: code() })).status, 429)
  assert.equal((await login()).status, 200)
  posthorn.clock.advance(60_000)
  assert.equal((await other.post('/auth/2fa/disable', { code: code() })).status, 200)
})

test('twenty wrong codes in several sessions of an account delay all of its sessions', async () => {
  const ada = await person()
  const { code } = await turnOnTwoFactor(posthorn, ada.api)
  async function session() {
    posthorn.clock.advance(30_000)
    const { body } = await from(home)('/auth/login', { email: ada.email, password, code: code() })
    return posthorn.as(body.accessToken)
  }
  for (let n = 0; n < 4; n++) {
    const api = await session()
    for (let bad = 1; bad <= 5; bad++)
      assert.equal((await api.post('/auth/2fa/disable', { code: 'aaaa-bbbb-cccc' })).status, 400)
  }
  const last = await session()
  posthorn.clock.advance(30_000)
  assert.equal((await last.post('/auth/2fa/disable', { code: code() })).status, 429)
})

slowTest('the latest twenty networks of a person are kept, as a keyed hash, for 90 days', async () => {
  const ada = await person()
  for (let network = 0; network < 25; network++) {
    posthorn.clock.advance(1000)
    assert.equal(await ada.login(`192.0.2.${network}`), 200)
  }
  const { id } = await posthorn.app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.email)
    .executeTakeFirstOrThrow()
  const rows = () => posthorn.app.db.selectFrom('known_networks').selectAll().where('user_id', '=', id).execute()
  assert.equal((await rows()).length, 20)
  assert.ok((await rows()).every(({ network_hash }) => network_hash.length === 16))
  await attack(ada.login)
  assert.deepEqual([await ada.login('192.0.2.24'), await ada.login('192.0.2.1')], [200, 429])
  posthorn.clock.advance(91 * 24 * 3_600_000)
  await attack(ada.login)
  assert.equal(await ada.login('192.0.2.24'), 429)
  await posthorn.runDueJobs()
  assert.deepEqual(await rows(), [])
})
