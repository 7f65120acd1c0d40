import assert from 'node:assert/strict'
import { test } from 'node:test'
import nodemailer from 'nodemailer'
import { ok } from '../../../test/app.ts'
import { startSubmission } from '../../smtp/submission/fixtures/start.ts'
import { runChain } from '../../workflows/fixtures/workflow.ts'

const { posthorn, smtps } = await startSubmission()
const team = await posthorn.team()
const from = `hello@${team.domain}`
const email = { from, subject: 'Hello', text: 'Hi', to: ['ada@example.com', 'ada@EXAMPLE.com'] }

/** Returns the recipients to whom an email was delivered. */
async function reached(id: string): Promise<string[]> {
  const { body } = await team.api.get(`/v1/emails/${id}/events`)
  return body.flatMap(({ data }: { data: { delivery?: { recipients: string[] } } }) => data.delivery?.recipients ?? [])
}

async function newest(): Promise<string> {
  return (await team.api.get('/v1/emails?limit=1')).body.data[0].id
}

test('a person gets one message, in whatever case and form the address stands in to, cc and bcc', async () => {
  const given = {
    to: ['Ada <ada@example.com>', 'ADA@example.com', 'bob@bücher.example'],
    cc: ['ada@EXAMPLE.com', 'bob@xn--bcher-kva.example', 'cy@example.com'],
    bcc: ['Cy@Example.com', 'dan@example.com', 'BOB@BÜCHER.example'],
  }
  const { body } = await team.api.post('/v1/emails', { ...email, ...given })
  assert.deepEqual(await reached(body.id), [
    'ada@example.com',
    'bob@bücher.example',
    'cy@example.com',
    'dan@example.com',
  ])
  assert.deepEqual([body.to, body.cc, body.bcc], [given.to, given.cc, given.bcc])
  const { data } = (await team.api.get('/v1/inbox?limit=1')).body
  const raw = await team.api.get(`/v1/inbox/${data[0].id}`, { accept: 'message/rfc822' })
  assert.match(raw.text, /^To: Ada <ada@example.com>, ADA@example.com,\s+bob@xn--bcher-kva.example\r$/m)
})

test('a person counts once against the limit of recipients', async () => {
  const many = Array.from({ length: 49 }, (_, n) => `reader${n}@example.com`)
  const to = ['ada@example.com', ...many]
  const both = { ...email, to, cc: to.map((address) => address.toUpperCase()) }
  assert.equal((await team.api.post('/v1/emails', both)).status, 200)
  assert.equal((await team.api.post('/v1/emails', { ...both, bcc: ['eve@example.com'] })).status, 400)
})

test('so does each email of a batch, a scheduled one, a workflow’s and a test of a broadcast', async () => {
  const batch = await team.api.post('/v1/emails/batch', { emails: [email, email] })
  for (const { id } of batch.body.data) assert.deepEqual(await reached(id), ['ada@example.com'])

  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const scheduled = await team.api.post('/v1/emails', { ...email, scheduledAt })
  await posthorn.runDueJobsAfter(61_000)
  assert.deepEqual(await reached(scheduled.body.id), ['ada@example.com'])

  await runChain(posthorn, team, [{ type: 'send_email', config: email }])
  assert.deepEqual(await reached(await newest()), ['ada@example.com'])

  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const draft = { name: 'News', from, segmentId: segment.id, subject: 'News', text: 'x' }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', draft)
  const tested = await ok(team.api.post(`/v1/broadcasts/${broadcast.id}/test`, { to: email.to }))
  assert.equal(tested.emailIds.length, 1)
})

test('so does a message by SMTP', async () => {
  const auth = { user: team.key, pass: team.key }
  const transport = nodemailer.createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
  const raw = `From: ${from}\r\nTo: ada@example.com, ada@EXAMPLE.com\r\nCc: ADA@example.com\r\nSubject: x\r\n\r\nx\r\n`
  const { response } = await transport.sendMail({ envelope: { from, to: [...email.to, 'ADA@example.com'] }, raw })
  transport.close()
  const id = response.slice(-36)
  assert.deepEqual(await reached(id), ['ada@example.com'])
  const { data } = (await team.api.get('/v1/inbox?limit=1')).body
  const sent = await team.api.get(`/v1/inbox/${data[0].id}`, { accept: 'message/rfc822' })
  assert.match(sent.text, /^To: ada@example.com, ada@EXAMPLE.com\r\nCc: ADA@example.com\r$/m)
})
