import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import { apiOf, createTestApp, type TestTeam } from '../../../test/app.ts'
import { startSubmission } from '../../smtp/submission/fixtures/start.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

const email = (team: TestTeam, change: object = {}) => {
  return { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', ...change }
}
const send = (team: TestTeam, change?: object, api = team.api) => api.post('/v1/emails', email(team, change))
const inAnHour = () => new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()

async function usageOf({ id }: TestTeam) {
  const row = posthorn.app.db.selectFrom('email_usage').select(['scheduled_emails', 'stored_bytes'])
  const { scheduled_emails, stored_bytes } = await row.where('team_id', '=', id).executeTakeFirstOrThrow()
  return { scheduled: scheduled_emails, bytes: Number(stored_bytes) }
}

test('concurrent requests can schedule exactly ten times the daily limit', async () => {
  const team = await posthorn.team({ plan: 'free', limits: { dailyEmailLimit: 1 } })
  const scheduledAt = inAnHour()
  const apis = [team.api, apiOf(other, team.key)]
  const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => send(team, { scheduledAt }, apis[at % 2]!)))
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(answers.length - refused.length, 10)
  const [{ status, body }] = refused as [(typeof refused)[0]]
  assert.deepEqual([status, body.name, body.limit, body.max], [422, 'plan_limit_exceeded', 'scheduledEmails', 10])
  assert.match(body.message, /10 are waiting\. Cancel some, or schedule these later/)
  assert.equal((await send(team)).status, 200)
})

test('a batch is accepted or refused as a whole, and a refusal leaves its idempotency key free', async () => {
  const team = await posthorn.team({ limits: { scheduledEmails: 3 } })
  const emails = [1, 2].map(() => email(team, { scheduledAt: inAnHour() }))
  const post = () => team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'one' })
  assert.equal((await team.api.post('/v1/emails/batch', { emails })).status, 200)
  assert.deepEqual([(await post()).body.limit, (await usageOf(team)).scheduled], ['scheduledEmails', 2])
  const { data } = (await team.api.get('/v1/emails')).body
  assert.equal(data.length, 2)
  await team.api.post(`/v1/emails/${data[0].id}/cancel`)
  assert.equal((await post()).status, 200)
})

test('an email that is cancelled or due no longer counts as scheduled, and rescheduling does not change the count', async () => {
  const team = await posthorn.team({ limits: { scheduledEmails: 2 } })
  const ids: string[] = []
  for (let made = 0; made < 2; made++) ids.push((await send(team, { scheduledAt: inAnHour() })).body.id)
  assert.equal((await send(team, { scheduledAt: inAnHour() })).status, 422)
  await team.api.patch(`/v1/emails/${ids[0]}`, { scheduledAt: new Date(Date.parse(inAnHour()) + 1000).toISOString() })
  assert.equal((await send(team, { scheduledAt: inAnHour() })).status, 422)
  const cancelled = await Promise.all([1, 2, 3].map(() => team.api.post(`/v1/emails/${ids[0]}/cancel`)))
  assert.deepEqual(cancelled.map(({ status }) => status).sort(), [200, 409, 409])
  assert.equal((await send(team, { scheduledAt: inAnHour() })).status, 200)
  posthorn.clock.advance(3_601_000)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/emails/${ids[1]}`)).body.status, 'delivered')
  assert.equal((await usageOf(team)).scheduled, 0)
})

test('exactly as many concurrent sends pass as the stored bytes of the plan allow', async () => {
  const team = await posthorn.team({ limits: { storedBytes: 10_000 } })
  const content = Buffer.alloc(2000, 'x').toString('base64')
  const body = { html: 'ä'.repeat(300), text: 'b'.repeat(400), attachments: [{ filename: 'a.txt', content }] }
  const apis = [team.api, apiOf(other, team.key)]
  const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => send(team, body, apis[at % 2]!)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 422, 422, 422, 422, 422, 422])
  const refused = answers.find(({ status }) => status === 422)!
  assert.deepEqual([refused.body.name, refused.body.limit], ['plan_limit_exceeded', 'storedBytes'])
  assert.equal((await usageOf(team)).bytes, 9000)
  const rows = await posthorn.app.db.selectFrom('emails').select('id').where('team_id', '=', team.id).execute()
  assert.equal(rows.length, 3)
})

test('captured messages, templates, drafts and contacts count as stored, and deleting them frees space', async () => {
  const team = await posthorn.team({ limits: { storedBytes: 12_000 } })
  const { api } = team
  const html = 'x'.repeat(4000)
  assert.equal((await send(team, { html })).status, 200)
  const { body: template } = await api.post('/v1/templates', { name: 'Large', html })
  for (const [path, body] of [
    ['/v1/templates', { name: 'Another', text: 'x' }],
    ['/v1/whatsapp/templates', { name: 'another', body: 'x' }],
    ['/v1/contacts', { email: 'ada@example.com' }],
    ['/v1/contacts/import', { contacts: [{ email: 'ada@example.com' }] }],
  ] as const) {
    const answer = await api.post(path, body)
    assert.deepEqual([answer.status, answer.body.limit], [422, 'storedBytes'], path)
  }
  assert.equal((await api.patch(`/v1/templates/${template.id}`, { html })).status, 422)
  assert.equal((await api.patch(`/v1/templates/${template.id}`, { name: 'Larger' })).status, 200)
  await api.delete('/v1/inbox')
  await api.delete(`/v1/templates/${template.id}`)
  assert.equal((await api.post('/v1/contacts', { email: 'ada@example.com', properties: { a: 'b' } })).status, 200)
  await posthorn.runDueJobsAfter(6000)
  const { properties } = (await api.get('/v1/contacts')).body.data[0]
  assert.equal((await usageOf(team)).bytes, 4000 + 'ada@example.com\n\n'.length + JSON.stringify(properties).length + 1)
})

test('deleting an email frees its space', async () => {
  const team = await posthorn.team()
  const { id } = (await send(team, { html: 'x'.repeat(500), text: 'y' })).body
  await team.api.delete('/v1/inbox')
  await posthorn.app.transaction((tx) =>
    tx.db.deleteFrom('emails').where('team_id', '=', team.id).where('id', '=', id).execute(),
  )
  await posthorn.runDueJobsAfter(6000)
  assert.equal((await usageOf(team)).bytes, 0)
})

test('a message by SMTP past the plan is refused temporarily, naming the limit', async () => {
  const { posthorn: submitting, smtps } = await startSubmission()
  const team = await submitting.team({ limits: { storedBytes: 1000 } })
  const auth = { user: team.key, pass: team.key }
  const transport = createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
  const message = { from: `a@${team.domain}`, to: 'ada@example.com', subject: 'x' }
  await transport.sendMail({ ...message, text: 'short' })
  await assert.rejects(transport.sendMail({ ...message, text: 'x\n'.repeat(500) }), {
    response: /^452 4\.3\.1 .*\(storedBytes\)/,
  })
  transport.close()
})
