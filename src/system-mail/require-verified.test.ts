import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createAudience } from '../broadcasts/fixtures/audience.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp({ REQUIRE_VERIFIED_EMAIL: 'on' })
const { app } = posthorn
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('a team sends nothing, in no channel, until an owner has verified an address by the mailed link', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  await team.member('admin')
  await sql`update users set email_verified_at = null where id = ${owner.userId}`.execute(app.db)
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'Hi' }
  const { segmentId } = await createAudience(posthorn, team, [{ email: 'ada@people.test' }])
  const draft = { name: 'News', segmentId, from: email.from, subject: 'Hi', text: 'Hi' }
  const broadcast = await team.api.post('/v1/broadcasts', draft)
  const sms = { senderId: unknownId, to: '+4915112345678', body: 'Hi' }
  const sends: [path: string, body: object | undefined][] = [
    ['/v1/emails', email],
    ['/v1/emails/batch', { emails: [email] }],
    ['/v1/sms', sms],
    ['/v1/sms/batch', { messages: [sms] }],
    ['/v1/whatsapp/messages', sms],
    [`/v1/broadcasts/${broadcast.body.id}/send`, undefined],
  ]
  const refusedPaths = async () => {
    const answers = await Promise.all(
      sends.map(async ([path, body]) => ({ path, answer: await team.api.post(path, body) })),
    )
    return answers.filter(({ answer }) => answer.status === 403 && /verified an email address/.test(answer.text))
  }
  assert.equal((await refusedPaths()).length, sends.length)
  assert.equal((await owner.api.post('/auth/verify-email/resend')).status, 200)
  const [mail] = await posthorn.mailTo(owner.email)
  const [, token] = /token=([\w-]+)/.exec(mail.text)!
  assert.equal((await posthorn.anyone.post('/auth/verify-email', { token })).status, 200)
  assert.deepEqual(await refusedPaths(), [])
})

test('a sign-up gets a mail whose link verifies the address', async () => {
  const email = 'newcomer@people.test'
  const signup = await posthorn.anyone.post('/auth/signup', { email, password: 'correct horse battery' })
  const api = posthorn.as(signup.body.accessToken)
  const [mail, ...more] = await posthorn.mailTo(email)
  assert.equal(more.length, 0)
  const [, token] = /token=([\w-]+)/.exec(mail.text)!
  assert.equal((await api.get('/auth/me')).body.user.emailVerified, false)
  await posthorn.anyone.post('/auth/verify-email', { token })
  assert.equal((await api.get('/auth/me')).body.user.emailVerified, true)
})
