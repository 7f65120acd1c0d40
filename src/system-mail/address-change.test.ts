import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { password, signUp } from '../../test/person.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp()
const { anyone, clock } = posthorn
let people = 0
const newAddress = (who = 'New') => `${who}${++people}@people.test`

async function person() {
  const ada = await signUp(posthorn, { email: newAddress('ada') })
  return { ...ada, userId: ada.user.id as string }
}

const subjects = async (address: string) =>
  (await posthorn.mailTo(address))
    .map(({ subject }) => subject)
    .filter((subject) => subject !== 'Confirm your email address')

async function linkTo(address: string): Promise<string> {
  const mail = (await posthorn.mailTo(address)).find(({ subject }) => subject === 'Confirm your new address')
  assert.ok(mail, 'a link was mailed')
  return /posthorn\.test\/app\/address#token=([\w-]{43})$/m.exec(mail.text)?.[1] ?? assert.fail(mail.text)
}

const confirm = (token: string) => anyone.post('/auth/me/email/confirm', { token })
const login = (email: string) => anyone.post('/auth/login', { email, password })

test('only the link in the mail changes the address; both addresses are told, and the new one is proven', async () => {
  const ada = await person()
  const email = newAddress()
  const asked = await ada.api.post('/auth/me/email', { email })
  assert.deepEqual([asked.status, asked.body], [200, { sent: true }])
  const token = await linkTo(email)
  assert.deepEqual(await subjects(ada.email), ['Another address was asked for'])
  assert.equal((await ada.api.get('/auth/me')).body.user.email, ada.email)
  assert.equal((await login(email)).status, 401)
  const changed = await confirm(token)
  assert.deepEqual([changed.status, changed.body], [200, { changed: true }])
  assert.deepEqual([(await login(ada.email)).status, (await login(email.toUpperCase())).status], [401, 200])
  const { user } = (await login(email)).body
  assert.deepEqual([user.id, user.email, user.emailVerified], [ada.userId, email, true])
  assert.deepEqual(await subjects(ada.email), ['Your account has another address', 'Another address was asked for'])
  const [told] = await posthorn.mailTo(ada.email)
  assert.ok(!told.text.includes(email), 'the former mailbox is not told which')
  assert.deepEqual([(await confirm(token)).status, (await confirm(token)).body.name], [400, 'invalid_token'])
})

test('a change ends every session and link of the account, and keeps its keys, and the audit log has both addresses', async () => {
  const ada = await person()
  const key = (await ada.api.post('/v1/api-keys', { name: 'Shop' })).body
  const email = newAddress()
  await anyone.post('/auth/password/forgot', { email: ada.email })
  await posthorn.runDueJobs()
  const reset = (await posthorn.mailTo(ada.email)).find(({ subject }) => subject === 'Set a new password')
  const [, resetToken] = /#token=([\w-]+)/.exec(reset.text)!
  await ada.api.post('/auth/me/email', { email })
  assert.equal((await confirm(await linkTo(email))).status, 200)
  assert.equal((await ada.api.get('/auth/me')).status, 401)
  assert.equal((await anyone.post('/auth/refresh', { refreshToken: ada.refreshToken })).status, 401)
  assert.equal((await anyone.post('/auth/password/reset', { token: resetToken, password })).body.name, 'invalid_token')
  assert.equal((await posthorn.as(key.key).get('/v1/rate-limits')).status, 200)
  const api = posthorn.as((await login(email)).body.accessToken)
  const [entry] = (await api.get('/v1/audit?action=user.email_changed')).body.data
  assert.deepEqual([entry.actor.id, entry.changes], [ada.userId, { email: { from: ada.email, to: email } }])
})

test('an address that was asked for before the password changed gets no link, though its mail is written later', async () => {
  const ada = await person()
  const email = newAddress()
  assert.equal((await ada.api.post('/auth/me/email', { email })).status, 200)
  const changed = await ada.api.post('/auth/password', { currentPassword: password, password: `${password} again` })
  assert.equal(changed.status, 200)
  assert.deepEqual(await posthorn.mailTo(email), [])
})

test('an address that has an account answers like any other, and its owner is told in place of a link', async () => {
  const [ada, grace] = [await person(), await person()]
  const own = newAddress()
  await ada.api.post('/auth/me/email', { email: own })
  const earlier = await linkTo(own)
  const [taken, free] = [
    await ada.api.post('/auth/me/email', { email: grace.email.toUpperCase() }),
    await ada.api.post('/auth/me/email', { email: newAddress() }),
  ]
  assert.deepEqual([taken.status, taken.text], [free.status, free.text])
  assert.deepEqual(await subjects(grace.email), ['This address has an account already'])
  assert.equal((await confirm(earlier)).body.name, 'invalid_token', 'as after an address without an account')
  const tokens = sql`select from account_tokens where email = ${grace.email}`.execute(posthorn.app.db)
  assert.equal((await tokens).rows.length, 0)
})

test('an address that gets an account before the link is opened stays with that account', async () => {
  const ada = await person()
  const email = newAddress()
  await ada.api.post('/auth/me/email', { email })
  const token = await linkTo(email)
  assert.equal((await anyone.post('/auth/signup', { email: email.toLowerCase(), password })).status, 200)
  assert.equal((await confirm(token)).status, 409)
  assert.equal((await ada.api.get('/auth/me')).body.user.email, ada.email)
})

test('three links an hour are mailed, and none to the address of now or to no address', async () => {
  const ada = await person()
  assert.equal((await ada.api.post('/auth/me/email', { email: ada.email.toUpperCase() })).status, 409)
  for (const wrong of [{}, { email: 'ada' }, { email: 'ad\u00e4@people.test' }, { email: newAddress(), name: 'Ada' }]) {
    assert.equal((await ada.api.post('/auth/me/email', wrong)).status, 400)
  }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ada.api.post('/auth/me/email', { email: newAddress() })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429])
  assert.equal((await subjects(ada.email)).length, 3)
})

test('the newest link counts, for a day, and a new password ends it', async () => {
  const ada = await person()
  const [first, second] = [newAddress(), newAddress()]
  await ada.api.post('/auth/me/email', { email: first })
  const old = await linkTo(first)
  await ada.api.post('/auth/me/email', { email: second })
  const newest = await linkTo(second)
  assert.equal((await confirm(old)).body.name, 'invalid_token')
  await ada.api.post('/auth/password', { currentPassword: password, password: `${password} again` })
  assert.equal((await confirm(newest)).body.name, 'invalid_token')
  const grace = await person()
  const email = newAddress()
  await grace.api.post('/auth/me/email', { email })
  const late = await linkTo(email)
  clock.advance(24 * 3_600_000)
  assert.equal((await confirm(late)).body.name, 'invalid_token')
})

test('a server that sends no mail, or cannot, changes no address', async () => {
  const silent = await createTestApp()
  const owner = await (await silent.team()).member('owner')
  const { status, body } = await owner.api.post('/auth/me/email', { email: newAddress() })
  assert.deepEqual([status, body.name], [409, 'conflict'])
  const ada = await person()
  await posthorn.app.db
    .updateTable('domains')
    .set({ status: 'pending' })
    .where('team_id', '=', posthorn.systemTeam.id)
    .execute()
  assert.equal((await ada.api.post('/auth/me/email', { email: newAddress() })).status, 409)
})
