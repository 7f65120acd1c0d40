import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { startSubmission } from '../../src/smtp/submission/fixtures/start.ts'
import type { TestTeam } from '../app.ts'
import { ok } from '../app.ts'
import { until } from '../patience.ts'
import { startSink } from '../smtp-sink.ts'

/** A server that sends real mail, to a sink. */
const sink = await startSink()
after(() => sink.close())
const { posthorn, smtps } = await startSubmission({ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: sink.url })

const scheduledAt = () => new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()

async function withTestKey(options?: Parameters<typeof posthorn.team>[0]) {
  const team = await posthorn.team(options)
  const made = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  assert.equal(made.status, 200, made.text)
  return { team, made: made.body, trial: posthorn.as(made.body.key) }
}

function email(team: TestTeam, change: object = {}) {
  return { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', html: '<p>Hello</p>', ...change }
}

test('a test key says so, keeps its mode and makes no live key', async () => {
  const { team, made, trial } = await withTestKey()
  assert.match(made.key, /^ph_test_/)
  assert.equal(made.mode, 'test')
  assert.equal(made.keyPrefix, made.key.slice(0, 15))
  assert.equal((await team.api.get(`/v1/api-keys/${made.id}`)).body.mode, 'test')
  const { body: live } = await team.api.post('/v1/api-keys', { name: 'Live' })
  assert.deepEqual([live.mode, live.key.startsWith('ph_test_')], ['live', false])
  assert.equal((await team.api.patch(`/v1/api-keys/${made.id}`, { mode: 'live' })).status, 400)
  assert.equal((await trial.post('/v1/api-keys', { name: 'x' })).status, 403)
  assert.equal((await trial.patch(`/v1/api-keys/${live.id}`, { permission: 'full_access' })).status, 404)
  assert.equal((await trial.post('/v1/api-keys', { name: 'x', mode: 'test' })).status, 200)
  assert.equal((await team.api.post('/v1/api-keys', { name: 'x', mode: 'other' })).status, 400)
})

test('a live key fills the relay, and a test key leaves it empty', async () => {
  const { team, made, trial } = await withTestKey()
  const before = sink.messages.length
  assert.equal((await team.api.post('/v1/emails', email(team))).status, 200)
  assert.equal(sink.messages.length, before + 1)
  const sent = await trial.post('/v1/emails', email(team))
  assert.deepEqual([sent.status, sent.body.mode], [200, 'test'], sent.text)
  await ok(trial.post('/v1/emails/batch', { emails: [email(team), email(team)] }))
  const later = await trial.post('/v1/emails', email(team, { scheduledAt: scheduledAt() }))
  const auth = { user: made.key, pass: made.key }
  const transport = createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
  await transport.sendMail({ from: 'any@where.test', to: 'ada@people.test', subject: 'By SMTP', text: 'x' })
  transport.close()
  await posthorn.runDueJobsAfter(3_700_000)
  assert.equal((await trial.get(`/v1/emails/${later.body.id}`)).body.status, 'delivered')
  const inbox = (await trial.get('/v1/inbox')).body.data
  assert.deepEqual(inbox.map(({ subject }: { subject: string }) => subject).sort(), [
    'By SMTP',
    'Hello',
    'Hello',
    'Hello',
    'Hello',
  ])
  assert.equal(sink.messages.length, before + 1)
})

test('a test key may send from any address, also without a domain', async () => {
  const { team, trial } = await withTestKey()
  for (const from of ['me@gmail.com', 'Ada <ada@nobodys.test>']) {
    const sent = await ok(trial.post('/v1/emails', email(team, { from })))
    const { body } = await trial.get(`/v1/emails/${sent.id}`)
    assert.deepEqual([body.from, body.status, body.mode], [from, 'delivered', 'test'])
    assert.equal((await team.api.post('/v1/emails', email(team, { from }))).status, 403)
  }
  const { body: domain } = await team.api.post('/v1/domains', { name: `new-${team.domain}` })
  const bound = await team.api.post('/v1/api-keys', { name: 'x', mode: 'test', domainId: domain.id })
  const own = email(team, { from: `a@new-${team.domain}` })
  assert.equal((await posthorn.as(bound.body.key).post('/v1/emails', own)).status, 200)
  assert.equal((await posthorn.as(bound.body.key).post('/v1/emails', email(team))).status, 403)
})

test('each mode lists, counts and finds its own emails', async () => {
  const { team, trial } = await withTestKey()
  const tags = { kind: 'parcel' }
  const { body: live } = await team.api.post(
    '/v1/emails',
    email(team, { subject: 'Live', tags, scheduledAt: scheduledAt() }),
  )
  const { body: tried } = await trial.post(
    '/v1/emails',
    email(team, { subject: 'Tried', tags, scheduledAt: scheduledAt() }),
  )
  for (const query of ['', '?search=i', '?tag=kind:parcel', '?status=scheduled', `?domainId=${team.domainId}`]) {
    for (const [api, own] of [
      [team.api, live],
      [trial, tried],
    ] as const) {
      const { body } = await api.get(`/v1/emails${query}`)
      assert.deepEqual([body.data.map(({ id }: { id: string }) => id), body.total], [[own.id], 1], query)
      assert.equal(body.data[0].mode, own.mode)
    }
  }
  for (const [api, foreign] of [
    [team.api, tried],
    [trial, live],
  ] as const) {
    const unknown = await api.get('/v1/emails/01890a5d-ac96-774b-bcce-b302099a8057')
    for (const answer of [
      await api.get(`/v1/emails/${foreign.id}`),
      await api.get(`/v1/emails/${foreign.id}/events`),
      await api.patch(`/v1/emails/${foreign.id}`, { scheduledAt: scheduledAt() }),
      await api.post(`/v1/emails/${foreign.id}/cancel`),
    ]) {
      assert.deepEqual([answer.status, answer.text], [404, unknown.text])
    }
  }
  const { cursor } = (await trial.get('/v1/emails?limit=1')).body
  assert.equal(cursor, null)
  assert.equal((await trial.post(`/v1/emails/${tried.id}/cancel`)).body.status, 'cancelled')
})

test('a user asks for the mode, and a key that asks for the other one is refused', async () => {
  const signup = await posthorn.anyone.post('/auth/signup', {
    email: 'eve@people.test',
    password: 'correct horse battery',
  })
  const user = posthorn.as(signup.body.accessToken)
  const { body: key } = await user.post('/v1/api-keys', { name: 'Trial', mode: 'test' })
  const trial = posthorn.as(key.key)
  const { body: sent } = await trial.post('/v1/emails', { from: 'a@b.test', to: ['c@d.test'], subject: 'x', text: 'x' })
  assert.equal((await user.get(`/v1/emails/${sent.id}`)).status, 404)
  assert.equal((await user.get(`/v1/emails/${sent.id}?mode=test`)).body.id, sent.id)
  assert.deepEqual((await user.get('/v1/emails')).body.total, 0)
  assert.deepEqual((await user.get('/v1/emails?mode=live')).body.total, 0)
  assert.equal((await user.get('/v1/emails?mode=test')).body.data[0].mode, 'test')
  assert.equal((await user.get('/v1/inbox?mode=test')).body.data.length, 1)
  assert.equal((await user.get('/v1/inbox')).body.data.length, 0)
  assert.equal((await user.get('/v1/emails?mode=other')).status, 400)
  assert.equal((await trial.get('/v1/emails?mode=test')).status, 200)
  const refused = await trial.get('/v1/emails?mode=live')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /must be test, the mode of this API key/)
})

test('what a test key sends counts against no limit', async () => {
  const { team, trial } = await withTestKey({ plan: 'free', limits: { dailyEmailLimit: 2, apiRequestsPerMinute: 100 } })
  for (let sent = 0; sent < 5; sent++) assert.equal((await trial.post('/v1/emails', email(team))).status, 200)
  for (let made = 0; made < 21; made++) {
    assert.equal((await trial.post('/v1/emails', email(team, { scheduledAt: scheduledAt() }))).status, 200)
  }
  await posthorn.runDueJobsAfter(3_700_000)
  assert.equal((await trial.get('/v1/emails?status=delivered')).body.total, 26)
  const before = sink.messages.length
  assert.equal((await team.api.post('/v1/emails', email(team))).status, 200)
  posthorn.clock.advance(1000)
  assert.equal((await team.api.post('/v1/emails', email(team))).status, 200)
  assert.equal((await team.api.post('/v1/emails', email(team))).status, 429)
  assert.equal(sink.messages.length, before + 2)
})

test('idempotency keys are apart', async () => {
  const { team, trial } = await withTestKey()
  const header = { 'idempotency-key': 'order-1' }
  const live = await team.api.post('/v1/emails', email(team), header)
  const tried = await trial.post('/v1/emails', email(team, { subject: 'Other' }), header)
  assert.deepEqual([live.status, tried.status, tried.body.subject], [200, 200, 'Other'])
  assert.equal((await trial.post('/v1/emails', email(team, { subject: 'Other' }), header)).body.id, tried.body.id)
  assert.equal((await trial.post('/v1/emails', email(team), header)).status, 409)
})

test('a bounce and a complaint are simulated, and suppress in test mode only', async () => {
  const { team, trial } = await withTestKey()
  for (const to of ['bounce@people.test', 'complaint@people.test']) {
    const { body } = await trial.post('/v1/emails', email(team, { to: [to] }))
    const status = to.startsWith('bounce') ? 'bounced' : 'complained'
    assert.equal((await trial.get(`/v1/emails/${body.id}`)).body.status, status)
    assert.equal((await trial.post('/v1/emails', email(team, { to: [to] }))).status, 422)
    assert.equal((await team.api.post('/v1/emails', email(team, { to: [to] }))).status, 200)
  }
  assert.equal((await trial.get('/v1/suppressions')).body.data.length, 2)
  const { id } = (await trial.get('/v1/suppressions')).body.data[0]
  assert.equal((await team.api.get('/v1/suppressions')).body.data.length, 0)
  assert.equal((await team.api.delete(`/v1/suppressions/${id}`)).status, 404)
})

test('tracking works for test emails of a domain of the team', async () => {
  const { team, trial } = await withTestKey()
  await team.api.patch(`/v1/domains/${team.domainId}`, { openTracking: true, clickTracking: true })
  const html = '<p><a href="https://people.test/offer">Offer</a></p>'
  const { body: sent } = await trial.post('/v1/emails', email(team, { html }))
  const { body: message } = await trial.get(`/v1/inbox/${(await trial.get('/v1/inbox')).body.data[0].id}`)
  const link = /href="http:\/\/localhost:3000([^"]+)"/.exec(message.html)?.[1]
  assert.ok(link, message.html)
  posthorn.clock.advance(10_000)
  const followed = await posthorn.anyone.get(link, { 'user-agent': 'Mozilla/5.0 (X11) Firefox/130' })
  assert.equal(followed.headers.location, 'https://people.test/offer')
  let types: string[] = []
  await until(async () => {
    types = (await trial.get(`/v1/emails/${sent.id}/events`)).body.map(({ type }: { type: string }) => type)
    return types.includes('clicked')
  })
  assert.deepEqual(types.sort(), ['clicked', 'delivered', 'sent'])
})

test('templates are shared, and deleting the team deletes what its test keys sent', async () => {
  const { team, trial } = await withTestKey()
  const { body: template } = await team.api.post('/v1/templates', { name: 'Welcome', text: 'Hello {{name}}' })
  await team.api.patch(`/v1/templates/${template.id}`, { status: 'published' })
  const from = { html: undefined, templateId: template.id, templateVariables: { name: 'Ada' } }
  const { body: sent } = await trial.post('/v1/emails', email(team, from))
  assert.equal(sent.text, 'Hello Ada')
  await posthorn.app.transaction((tx) => tx.db.deleteFrom('teams').where('id', '=', team.id).execute())
  const left = await posthorn.app.db.selectFrom('emails').select('id').where('id', '=', sent.id).execute()
  assert.deepEqual(left, [])
})
