import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSystemMailApp } from '../../src/system-mail/fixtures/system-team.ts'

const posthorn = await createSystemMailApp()
const { anyone } = posthorn
const [password, chosen] = ['a long and winding road', 'another winding road']

async function tokenTo(address: string, subject: RegExp): Promise<string> {
  const mails = await posthorn.mailTo(address)
  const mail = mails.find((sent: { subject: string }) => subject.test(sent.subject))
  return /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? assert.fail(JSON.stringify(mails))
}

test('a person signs up, verifies the address by the mail, loses the password and regains it', async () => {
  const email = 'ada@people.test'
  const { body: session } = await anyone.post('/auth/signup', { email, password })
  const verified = await anyone.post('/auth/verify-email', { token: await tokenTo(email, /Confirm/) })
  assert.deepEqual(verified.body, { verified: true })
  const me = await posthorn.as(session.accessToken).get('/auth/me')
  assert.equal(me.body.user.emailVerified, true)
  assert.deepEqual((await anyone.post('/auth/password/forgot', { email: 'ADA@people.test' })).body, { sent: true })
  const token = await tokenTo(email, /password/i)
  assert.deepEqual((await anyone.post('/auth/password/reset', { token, password: chosen })).body, { reset: true })
  assert.equal((await posthorn.as(session.accessToken).get('/auth/me')).status, 401)
  assert.equal((await anyone.post('/auth/login', { email, password: chosen })).status, 200)
})

test('an address without an account gets no mail', async () => {
  assert.deepEqual((await anyone.post('/auth/password/forgot', { email: 'nobody@people.test' })).body, { sent: true })
  assert.deepEqual(await posthorn.mailTo('nobody@people.test'), [])
})

test('the mail that verifies an address is sent again', async () => {
  const email = 'grace@people.test'
  const { body } = await anyone.post('/auth/signup', { email, password })
  assert.equal((await posthorn.mailTo(email)).length, 1)
  const again = await posthorn.as(body.accessToken).post('/auth/verify-email/resend')
  assert.deepEqual([again.status, again.body], [200, { sent: true }])
  assert.equal((await posthorn.mailTo(email)).length, 2)
})
