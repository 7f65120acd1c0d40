import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { password, signUp } from '../../../test/person.ts'
import { issueResetToken } from '../account-tokens/issue.ts'

const posthorn = await createTestApp()
const { anyone } = posthorn
const chosen = 'another winding road'

async function signup() {
  const ada = await signUp(posthorn, { name: 'Ada' })
  const change = (currentPassword: string, next = chosen) =>
    ada.api.post('/auth/password', { currentPassword, password: next })
  return { ...ada, change }
}

const login = (email: string, known: string) => anyone.post('/auth/login', { email, password: known })

test('changing the password ends every other session and reset link, and no address is proven by it', async () => {
  const ada = await signup()
  const other = await login(ada.email, password)
  const token = await posthorn.app.transaction((tx) => issueResetToken(tx, ada.user.id, 'mail'))
  const changed = await ada.change(password)
  assert.deepEqual([changed.status, changed.body], [200, { changed: true }])
  const me = await ada.api.get('/auth/me')
  assert.deepEqual([me.status, me.body.user.emailVerified], [200, false])
  assert.equal((await anyone.post('/auth/refresh', { refreshToken: ada.refreshToken })).status, 200)
  assert.equal((await posthorn.as(other.body.accessToken).get('/auth/me')).status, 401)
  assert.equal((await anyone.post('/auth/refresh', { refreshToken: other.body.refreshToken })).status, 401)
  assert.equal((await anyone.post('/auth/password/reset', { token, password: chosen })).body.name, 'invalid_token')
  assert.deepEqual([(await login(ada.email, password)).status, (await login(ada.email, chosen)).status], [401, 200])
})

test('a wrong current password is 400 and the sixth in 15 minutes 429, also with the right one', async () => {
  const ada = await signup()
  for (let bad = 1; bad <= 5; bad++) {
    const { status, body } = await ada.change('not the password')
    assert.deepEqual([status, body.name], [400, 'invalid_password'])
  }
  const refused = await ada.change(password)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '900'])
  assert.equal((await ada.api.get('/auth/me')).status, 200, 'the session stays')
  assert.equal((await login(ada.email, password)).status, 200, 'and logins do not wait for it')
})

test('a new password follows the rules of a sign-up', async () => {
  const ada = await signup()
  for (const weak of ['short77', 'Password1', 'x'.repeat(129)]) {
    const { status, body } = await ada.change(password, weak)
    assert.deepEqual([status, body.errors[0].path], [400, 'password'])
  }
  assert.equal((await ada.api.post('/auth/password', { password: chosen })).status, 400)
  assert.equal((await login(ada.email, password)).status, 200)
})

test('of changes that race in two sessions one succeeds, and its session alone stays', async () => {
  const ada = await signup()
  const other = posthorn.as((await login(ada.email, password)).body.accessToken)
  const answers = await Promise.all([
    ada.change(password, 'first new password'),
    other.post('/auth/password', { currentPassword: password, password: 'second new password' }),
  ])
  const winner = answers.findIndex(({ status }) => status === 200)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const alive = [(await ada.api.get('/auth/me')).status, (await other.get('/auth/me')).status]
  assert.deepEqual(alive, winner === 0 ? [200, 401] : [401, 200])
})

test('a person changes the own name, which the profile and the audit log show', async () => {
  const ada = await signup()
  const answer = await ok(ada.api.patch('/auth/me', { name: 'Ada Lovelace' }))
  assert.deepEqual(answer, (await ada.api.get('/auth/me')).body)
  assert.equal(answer.user.name, 'Ada Lovelace')
  const { body } = await ada.api.get('/v1/audit?action=user.renamed')
  assert.deepEqual(body.data[0].changes, { name: { from: 'Ada', to: 'Ada Lovelace' } })
  for (const wrong of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: null }, { name: 'A', email: 'a@b.test' }]) {
    assert.equal((await ada.api.patch('/auth/me', wrong)).status, 400, JSON.stringify(wrong))
  }
})
