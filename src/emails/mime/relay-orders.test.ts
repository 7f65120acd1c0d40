import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import { startSink } from '../../../test/smtp-sink.ts'
import { insertVerifiedDomain } from '../../domains/insert-verified.ts'
import { startSubmission } from '../../smtp/submission/fixtures/start.ts'

const sink = await startSink()
after(() => sink.close())
const { posthorn, smtps } = await startSubmission({ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `${sink.url}?tls=none` })
const { app } = posthorn
const team = await posthorn.team()
const keys = await app.generateDkimKeys()
await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, 'mail.test', keys))

const orders = [
  ...['X-SMTPAPI', 'x-sg-eid', 'X-Mailgun-Drop-Message', 'X-MC-BccAddress', 'X-Mandrill-Template', 'X-MSYS-API'],
  ...['X-SparkPost-X', 'X-PM-Message-Stream', 'X-Postmark-X', 'X-SES-CONFIGURATION-SET', 'X-MJ-TemplateID'],
  ...['X-Mailjet-Campaign', 'X-ElasticEmail-Pool', 'X-Brevo-X', 'X-SIB-ID', 'X-Mailin-Tag', 'X-Virtual-MTA'],
  ...['Resent-To', 'Authentication-Results', 'ARC-Seal', 'Received-SPF', 'Errors-To', 'Return-Path'],
]
const passing = ['X-Order', 'X-Mailer', 'Disposition-Notification-To', 'List-Unsubscribe', 'X-Scenario']
const email = { from: 'hello@mail.test', to: ['ada@example.com'], subject: 'Hello', text: 'It works.' }

test('the API refuses every header that controls a mail service, and names it', async () => {
  for (const name of orders) {
    const { status, body } = await team.api.post('/v1/emails', { ...email, headers: { [name]: 'x' } })
    assert.deepEqual([status, body.name], [400, 'validation_error'], name)
    assert(JSON.stringify(body).includes(`headers.${name}`), name)
  }
  assert.equal(sink.messages.length, 0)
  const headers = Object.fromEntries(passing.map((name) => [name, 'x']))
  assert.equal((await team.api.post('/v1/emails', { ...email, headers })).status, 200)
  for (const name of passing) assert.match(sink.messages.at(-1)!.raw.toString(), new RegExp(`^${name}: x`, 'im'))
})

test('headers that control a mail service are removed from a submitted message, and the others stay', async () => {
  const all = [...orders, ...passing].map((name) => `${name}: x\r\n folded ${name} value\r\n`).join('')
  const transport = nodemailer.createTransport({
    ...{ host: '127.0.0.1', port: smtps, secure: true, tls: { rejectUnauthorized: false } },
    auth: { user: team.key, pass: team.key },
  })
  const raw = `From: hello@mail.test\r\nTo: ada@example.com\r\n${all}Subject: Hello\r\n\r\nX-SMTPAPI: of the text\r\n`
  await transport.sendMail({ envelope: { from: 'hello@mail.test', to: 'ada@example.com' }, raw })
  transport.close()
  const [head = '', body = ''] = sink.messages.at(-1)!.raw.toString().split('\r\n\r\n')
  for (const name of orders) assert.doesNotMatch(head, new RegExp(`^${name}:|folded ${name} value`, 'im'), name)
  for (const name of passing) assert.match(head, new RegExp(`^${name}: x`, 'im'), name)
  assert.match(body, /^X-SMTPAPI: of the text/)
})

test('an email accepted before such a header was refused is sent without it', async () => {
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { body } = await team.api.post('/v1/emails', { ...email, headers: { 'X-Order': 'x' }, scheduledAt })
  const headers = JSON.stringify({ 'X-SMTPAPI': '{"to":["eve@example.com"]}', 'X-Order': 'x' })
  await app.transaction((tx) => {
    return tx.db
      .updateTable('emails')
      .set({ headers })
      .where('team_id', '=', team.id)
      .where('id', '=', body.id)
      .execute()
  })
  await posthorn.runDueJobsAfter(61_000)
  const { messageId, raw } = sink.messages.at(-1)!
  assert(messageId.includes(body.id))
  assert.match(raw.toString(), /^X-Order: x/m)
  assert.doesNotMatch(raw.toString(), /X-SMTPAPI/)
})
