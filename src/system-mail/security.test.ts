import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { password, signUp, turnOnTwoFactor } from '../../test/person.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp()
const other = 'another long and winding road'

async function person({ emailVerified = true } = {}) {
  const { email, api } = await signUp(posthorn)
  if (emailVerified)
    await sql`update users set email_verified_at = ${posthorn.clock.now()} where email = ${email}`.execute(
      posthorn.app.db,
    )
  const subjects = async () => {
    const mails = await posthorn.mailTo(email)
    return mails.map(({ subject }) => subject).filter((subject) => !subject.startsWith('Confirm'))
  }
  return { email, api, subjects }
}

test('a person is told of a new password, by a change or by a link, with its time and network', async () => {
  const ada = await person()
  await ada.api.post('/auth/password', { currentPassword: password, password: other })
  const [mail] = await posthorn.mailTo(ada.email)
  assert.equal(mail.subject, 'Your password was changed')
  assert.match(mail.text, /account person\d+@example\.com at posthorn\.test got a new password/)
  assert.match(mail.text, /Time: \d+ \w+ \d{4}, \d\d:\d\d UTC\. Network address: 127\.0\.0\.1\./)
  await posthorn.anyone.post('/auth/password/forgot', { email: ada.email })
  await posthorn.runDueJobs()
  const [reset] = await posthorn.mailTo(ada.email)
  const [, token] = /token=([\w-]+)/.exec(reset.text)!
  assert.equal((await posthorn.anyone.post('/auth/password/reset', { token, password })).status, 200)
  const subject = 'Your password was changed'
  assert.deepEqual(await ada.subjects(), [subject, 'Set a new password', subject])
})

test('a wrong password and a wrong code change nothing and send nothing', async () => {
  const ada = await person()
  await ada.api.post('/auth/password', { currentPassword: 'wrong', password: other })
  await ada.api.post('/auth/2fa/setup')
  await ada.api.post('/auth/2fa/verify', { code: '000000' })
  assert.deepEqual(await ada.subjects(), [])
})

test('a person is told that two-factor was switched on, and off', async () => {
  const ada = await person()
  const { code } = await turnOnTwoFactor(posthorn, ada.api)
  assert.deepEqual(await ada.subjects(), ['Two-factor was switched on'])
  assert.equal((await ada.api.post('/auth/2fa/disable', { code: code() })).status, 200)
  assert.deepEqual(await ada.subjects(), ['Two-factor was switched off', 'Two-factor was switched on'])
})

test('a person is told that the account was deleted', async () => {
  const ada = await person()
  assert.equal((await ada.api.delete('/auth/me', { deleteTeams: true })).status, 200)
  const [mail, ...others] = await posthorn.mailTo(ada.email)
  assert.deepEqual(
    [mail.subject, others.filter(({ subject }) => !subject.startsWith('Confirm')).length],
    ['Your account was deleted', 0],
  )
})

test('an address that was never verified gets no warning', async () => {
  const ada = await person({ emailVerified: false })
  await ada.api.post('/auth/password', { currentPassword: password, password: other })
  assert.deepEqual(await ada.subjects(), [])
})
