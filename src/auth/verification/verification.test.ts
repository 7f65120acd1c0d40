import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestApp } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { slowTest } from '../../../test/slow.ts'
import { createSystemMailApp } from '../../system-mail/fixtures/system-team.ts'
import { issueVerificationToken } from '../account-tokens/issue.ts'

const posthorn = await createSystemMailApp()
const silent = await createTestApp()
const hourMs = 3_600_000

async function signup(app: TestApp = posthorn) {
  const ada = await signUp(app)
  const { id: userId, emailVerified } = ada.user
  assert.equal(emailVerified, false)
  const isVerified = async () => (await ada.api.get('/auth/me')).body.user.emailVerified
  const token = () => app.app.transaction((tx) => issueVerificationToken(tx, userId))
  return { ...ada, userId, isVerified, token }
}

const verify = (token: string) => posthorn.anyone.post('/auth/verify-email', { token })

test('the token of the mailed link verifies the address, once, without a session', async () => {
  const ada = await signup()
  const token = await ada.token()
  const answer = await verify(token)
  assert.deepEqual([answer.status, answer.body], [200, { verified: true }])
  assert.equal(await ada.isVerified(), true)
  const login = await posthorn.anyone.post('/auth/login', { email: ada.user.email, password })
  assert.equal(login.body.user.emailVerified, true)
  const refreshed = await posthorn.anyone.post('/auth/refresh', { refreshToken: login.body.refreshToken })
  assert.equal(refreshed.body.user.emailVerified, true)
  const again = await verify(token)
  assert.deepEqual([again.status, again.body.name], [400, 'invalid_token'])
})

test('a used, an expired, an ended and an unknown token are answered alike', async () => {
  const ada = await signup()
  const [used, other] = [await ada.token(), await ada.token()]
  assert.equal((await verify(used)).status, 200)
  const grace = await signup()
  const late = await grace.token()
  posthorn.clock.advance(24 * hourMs)
  const answers = await Promise.all([used, other, late, 'made-up', 'x'.repeat(200)].map(verify))
  for (const { status, body } of answers) assert.deepEqual([status, body], [400, answers[0]?.body])
  assert.equal(answers[0]?.body.name, 'invalid_token')
  const login = await posthorn.anyone.post('/auth/login', { email: grace.user.email, password })
  assert.equal(login.body.user.emailVerified, false)
})

test('a token is good for 24 hours, and the first of two mails works too', async () => {
  const { api } = await signup()
  const ada = await signup()
  const [first] = [await ada.token(), await ada.token()]
  posthorn.clock.advance(24 * hourMs - 1)
  assert.equal((await verify(first)).status, 200)
  assert.equal((await api.get('/auth/me')).status, 401, 'sessions have no part in it')
})

slowTest('of requests that race with one token, or with two of one account, one verifies', async () => {
  const ada = await signup()
  const token = await ada.token()
  const same = await Promise.all([verify(token), verify(token), verify(token)])
  assert.deepEqual(same.map(({ status }) => status).sort(), [200, 400, 400])
  const grace = await signup()
  const tokens = [await grace.token(), await grace.token()]
  const both = await Promise.all(tokens.map(verify))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  assert.deepEqual([await ada.isVerified(), await grace.isVerified()], [true, true])
})

test('a verification token sets no password, and is stored as a hash', async () => {
  const ada = await signup()
  const token = await ada.token()
  const reset = await posthorn.anyone.post('/auth/password/reset', { token, password: 'another winding road' })
  assert.deepEqual([reset.status, reset.body.name], [400, 'invalid_token'])
  const rows = await posthorn.app.db.selectFrom('account_tokens').selectAll().execute()
  assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(token))
  assert.equal((await verify(token)).status, 200)
})

test('the mail is sent again three times an hour, and then is 429 with Retry-After', async () => {
  const ada = await signup()
  const resend = () => ada.api.post('/auth/verify-email/resend')
  const racing = await Promise.all(Array.from({ length: 5 }, resend))
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 200, 200, 429, 429])
  assert.deepEqual(racing.find(({ status }) => status === 200)?.body, { sent: true })
  const refused = await resend()
  assert.deepEqual(
    [refused.status, refused.body.name, refused.headers['retry-after']],
    [429, 'rate_limit_exceeded', '3600'],
  )
  posthorn.clock.advance(hourMs)
  const { body } = await posthorn.anyone.post('/auth/refresh', { refreshToken: ada.refreshToken })
  assert.equal((await posthorn.as(body.accessToken).post('/auth/verify-email/resend')).status, 200)
})

test('asking for the mail again is 409 once the address is verified, and where no system mail is sent', async () => {
  const ada = await signup()
  await verify(await ada.token())
  const done = await ada.api.post('/auth/verify-email/resend')
  assert.deepEqual([done.status, done.body.name], [409, 'conflict'])
  const unsent = await (await signup(silent)).api.post('/auth/verify-email/resend')
  assert.equal(unsent.status, 409)
  assert.match(unsent.body.message, /SYSTEM_FROM/)
})

test('expired tokens are deleted', async () => {
  await (await signup()).token()
  await posthorn.runDueJobs()
  await posthorn.runDueJobsAfter(25 * hourMs)
  assert.deepEqual(await posthorn.app.db.selectFrom('account_tokens').select('user_id').execute(), [])
})
