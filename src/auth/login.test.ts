import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { password, signUp } from '../../test/person.ts'
import { slowTest } from '../../test/slow.ts'

const posthorn = await createTestApp({ TRUST_PROXY: '127.0.0.1' })
let addresses = 0

const person = () => signUp(posthorn)

/** Logs in, by default from a new address each time, because 20 failures from one address block it. */
function login(body: object, address = `198.51.100.${++addresses % 250}`) {
  return posthorn.anyone.post('/auth/login', body, { 'x-forwarded-for': address })
}

test('logging in gives a session, with an address in upper or lower case', async () => {
  const ada = await person()
  const answer = await login({ email: ada.email.toUpperCase(), password })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([answer.body.user.id, answer.body.team.id], [ada.user.id, ada.team.id])
  assert.notEqual(answer.body.refreshToken, ada.refreshToken)
  assert.equal((await posthorn.as(answer.body.accessToken).get('/auth/me')).status, 200)
})

test('a login does not reveal whether an account exists', async () => {
  const ada = await person()
  const wrong = await login({ email: ada.email, password: 'not the password' })
  const unknown = await login({ email: 'nobody@example.com', password: 'not the password' })
  assert.deepEqual([wrong.status, unknown.status], [401, 401])
  assert.deepEqual(wrong.body, unknown.body)
  assert.equal(wrong.body.name, 'authentication_error')
})

test('after five bad passwords an account, known or not, is 429 with Retry-After, also for the right password', async () => {
  const ada = await person()
  const answers = []
  for (const email of [ada.email, 'ghost@example.com']) {
    for (let bad = 1; bad <= 5; bad++) assert.equal((await login({ email, password: 'wrong' })).status, 401)
    answers.push(await login({ email, password }))
  }
  for (const { status, body, headers } of answers) {
    assert.deepEqual([status, body.name, headers['retry-after']], [429, 'rate_limit_exceeded', '900'])
  }
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  posthorn.clock.advance(15 * 60_000 - 1)
  assert.equal((await login({ email: ada.email, password })).headers['retry-after'], '1')
  posthorn.clock.advance(1)
  assert.equal((await login({ email: ada.email, password })).status, 200)
})

test('the window slides: the sixth try is free when the first bad one is 15 minutes old', async () => {
  const ada = await person()
  for (let bad = 1; bad <= 5; bad++) {
    assert.equal((await login({ email: ada.email, password: 'wrong' })).status, 401)
    posthorn.clock.advance(60_000)
  }
  assert.equal((await login({ email: ada.email, password })).headers['retry-after'], '600')
  posthorn.clock.advance(10 * 60_000)
  assert.equal((await login({ email: ada.email, password: 'wrong' })).status, 401)
  assert.equal((await login({ email: ada.email, password })).status, 429)
})

test('after twenty bad passwords from one address, that address must wait, and no other', async () => {
  const ada = await person()
  for (let bad = 1; bad <= 20; bad++) {
    const answer = await login({ email: `guess${bad}@example.com`, password: 'wrong' }, `2001:db8:1:1::${bad}`)
    assert.equal(answer.status, 401)
  }
  assert.equal((await login({ email: ada.email, password }, '2001:db8:1:1:ffff::1')).status, 429, 'a /64 is one client')
  assert.equal((await login({ email: ada.email, password }, '2001:db8:1:2::1')).status, 200)
})

test('exactly five of many concurrent guesses are answered', async () => {
  const ada = await person()
  const tries = await Promise.all(Array.from({ length: 10 }, () => login({ email: ada.email, password: 'wrong' })))
  assert.deepEqual(tries.map(({ status }) => status).sort(), [...Array(5).fill(401), ...Array(5).fill(429)])
})

test('many logins at once with the right password all succeed', async () => {
  const ada = await person()
  const tries = await Promise.all(
    Array.from({ length: 25 }, () => login({ email: ada.email, password }, '203.0.113.9')),
  )
  assert.ok(tries.every(({ status }) => status === 200))
})

slowTest('logins beyond the queue are refused at once with 503 and Retry-After', async () => {
  // Hashes that take longer than it takes to send the requests, so that the queue fills.
  const slow = await createTestApp(
    { TRUST_PROXY: '127.0.0.1' },
    { passwordCost: { memoryCost: 19 * 1024, timeCost: 4 } },
  )
  const tries = await Promise.all(
    Array.from({ length: 120 }, (_, index) => {
      const body = { email: `flood${index}@example.com`, password: 'wrong' }
      return slow.anyone.post('/auth/login', body, { 'x-forwarded-for': `192.0.2.${index}` })
    }),
  )
  const refused = tries.filter(({ status }) => status === 503)
  assert.ok(refused.length > 0 && refused.every(({ headers }) => headers['retry-after'] === '1'))
  assert.ok(tries.every(({ status }) => status === 401 || status === 503))
})

test('old failures and ended logins are deleted', async () => {
  await login({ email: 'somebody@example.com', password: 'wrong' })
  await posthorn.runDueJobsAfter(31 * 24 * 3_600_000)
  for (const table of ['login_failures', 'refresh_tokens'] as const) {
    const rows = await posthorn.app.db
      .selectFrom(table)
      .select((query) => query.fn.countAll().as('count'))
      .executeTakeFirst()
    assert.equal(rows?.count, '0', table)
  }
})
