import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp, type TestTeam } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'

const posthorn = await sharedTestApp()

function emails(team: TestTeam, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    from: `a@${team.domain}`,
    to: [`p${index}@example.com`],
    subject: `${index}`,
  }))
}

test('a batch answers its emails in order', async () => {
  const team = await posthorn.team()
  const sent = await ok(team.api.post('/v1/emails/batch', { emails: emails(team, 100) }))
  assert.deepEqual(
    pluck(sent.data, 'subject'),
    emails(team, 100).map(({ subject }) => subject),
  )
  assert.equal((await team.api.get('/v1/emails')).body.total, 100)
})

test('a fault in any email of a batch sends nothing and answers with its message and index', async () => {
  const team = await posthorn.team()
  await team.api.post('/v1/suppressions', { email: 'gone@example.com' })
  const faults: Record<string, unknown>[] = [
    { to: ['nobody'] },
    { subject: 5 },
    { from: 'a@elsewhere.test' },
    { to: ['gone@example.com'] },
    { templateId: 'x' },
    { extra: 1 },
  ]
  for (const fault of faults) {
    const batch = emails(team, 3).map((email, index) => (index === 1 ? { ...email, ...fault } : email))
    const refused = await team.api.post('/v1/emails/batch', { emails: batch })
    assert.deepEqual(
      [refused.status, refused.body.index, Object.keys(refused.body)],
      [400, 1, ['error', 'index']],
      refused.text,
    )
  }
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})

test('a batch past the plan is refused as a whole', async () => {
  const team = await posthorn.team({ plan: 'free' })
  const refused = await team.api.post('/v1/emails/batch', { emails: emails(team, 11) })
  assert.deepEqual([refused.status, refused.body.name], [400, 'validation_error'])
  assert.equal((await team.api.post('/v1/emails/batch', { emails: emails(team, 10) })).status, 200)
})

test('a batch past the rest of the day’s limit is refused as a whole, with the specified body', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 5 } })
  const refused = await team.api.post('/v1/emails/batch', { emails: emails(team, 6) })
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.body, { error: 'DAILY_EMAIL_LIMIT_EXCEEDED', limit: 5, remaining: 5 })
  assert.equal((await team.api.post('/v1/emails/batch', { emails: emails(team, 5) })).status, 200)
})

test('a fault of a batch as a whole has the usual answer, and `error` with an `index` of null', async () => {
  const team = await posthorn.team()
  for (const body of [{}, { emails: [] }, { emails: emails(team, 101) }]) {
    const refused = await team.api.post('/v1/emails/batch', body)
    const { status_code, name, message, error, index } = refused.body
    assert.deepEqual([refused.status, status_code, name, error, index], [400, 400, 'validation_error', message, null])
  }
})
