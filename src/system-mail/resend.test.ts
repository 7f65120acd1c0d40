import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../test/person.ts'
import { pluck } from '../../test/pluck.ts'
import { suppressAddresses } from '../suppressions/suppress.ts'
import { createSystemMailApp, type SystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp()

async function signUpAs(posthorn: SystemMailApp, email: string) {
  const { api } = await signUp(posthorn, { email })
  return { api, resend: () => api.post('/auth/verify-email/resend') }
}

test('each of the three requests an hour for the mail of the sign-up again sends it, also at once, and the fourth is 429', async () => {
  const address = 'eve@people.test'
  const { resend } = await signUpAs(posthorn, address)
  const answers = await Promise.all([resend(), resend(), resend()])
  assert.deepEqual(pluck(answers, 'body'), [{ sent: true }, { sent: true }, { sent: true }])
  const refused = await resend()
  assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'])
  const mails = await posthorn.mailTo(address)
  assert.equal(mails.length, 4, 'one at the sign-up, and three that were asked for')
  const tokens = new Set(mails.map(({ text }) => /token=([\w-]+)/.exec(text)![1]))
  assert.equal(tokens.size, 4)
})

test('the mail that verifies an address is refused while the address is suppressed, which costs none of the three an hour', async () => {
  const email = 'ada@people.test'
  const ada = await signUpAs(posthorn, email)
  assert.equal((await posthorn.mailTo(email)).length, 1)
  await posthorn.app.transaction((tx) =>
    suppressAddresses(tx, [{ teamId: posthorn.systemTeam.id, email: 'Ada@People.test', reason: 'bounce' }]),
  )
  const { id } = (await posthorn.operator.api.get('/v1/suppressions')).body.data[0]
  for (let time = 0; time < 4; time++) {
    const refused = await ada.resend()
    assert.deepEqual([refused.status, refused.body.name], [422, 'recipient_suppressed'])
    assert.deepEqual(refused.body.suppressed, [email])
    assert.match(refused.body.message, /sends no mail to ada@people\.test\. Ask its operator/)
  }
  assert.equal((await posthorn.mailTo(email)).length, 1)
  await posthorn.operator.api.delete(`/v1/suppressions/${id}`)
  for (let time = 0; time < 3; time++) assert.deepEqual((await ada.resend()).body, { sent: true })
  assert.equal((await ada.resend()).status, 429)
  assert.equal((await posthorn.mailTo(email)).length, 4)
})

test('the mail that verifies an address is refused while the domain of SYSTEM_FROM is not verified, and sign-up goes on', async () => {
  const unready = await createSystemMailApp({ SYSTEM_FROM: 'hello@not-added.test' })
  const email = 'grace@people.test'
  const grace = await signUpAs(unready, email)
  assert.deepEqual(await unready.mailTo(email), [])
  const refused = await grace.resend()
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.match(refused.body.message, /the domain of SYSTEM_FROM is not verified/)
  const { body } = await unready.operator.api.post('/v1/domains', { name: 'not-added.test' })
  assert.equal((await grace.resend()).status, 409)
  assert.equal((await unready.operator.api.post(`/v1/domains/${body.id}/verify`)).body.status, 'verified')
  assert.deepEqual((await grace.resend()).body, { sent: true })
  assert.equal((await unready.mailTo(email)).length, 1)
})
