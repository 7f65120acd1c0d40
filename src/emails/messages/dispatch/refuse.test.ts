import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { absent, accepted, toldProvider } from './fixtures/told-provider.ts'

const { provider, told } = toldProvider()
const posthorn = await createTestApp({ EMAIL_UNREACHABLE: 'refuse' }, { emailProvider: provider })

const emailFrom = (team: TestTeam, to: string) => ({
  from: `a@${team.domain}`,
  to: [to],
  subject: 'Your code',
  text: '4711',
})

test('with EMAIL_UNREACHABLE=refuse an absent provider is 502, nothing is kept, and the key may be used again', async () => {
  const team = await posthorn.team()
  const email = emailFrom(team, 'ada@example.com')
  told.answer = absent
  const failed = await team.api.post('/v1/emails', email, { 'idempotency-key': 'again' })
  assert.deepEqual([failed.status, failed.body.name], [502, 'provider_error'])
  assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 0)
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  told.answer = accepted
  assert.equal((await team.api.post('/v1/emails', email, { 'idempotency-key': 'again' })).status, 200)
})

test('with EMAIL_UNREACHABLE=refuse the first failure ends a batch: those before it are sent, those after it are not', async () => {
  const team = await posthorn.team()
  const emails = [1, 2, 3, 4].map((number) => emailFrom(team, `n${number}@example.com`))
  told.answer = (message) => (message.envelope.to[0] === 'n3@example.com' ? absent(message) : accepted(message))
  const failed = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch' })
  told.answer = accepted
  assert.equal(failed.status, 400)
  assert.deepEqual(Object.keys(failed.body).sort(), ['error', 'index'])
  assert.equal(failed.body.index, 2)
  assert.equal((await team.api.get('/v1/emails')).body.total, 2)
  const repeated = await team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch' })
  assert.deepEqual([repeated.status, repeated.body], [400, failed.body])
})
