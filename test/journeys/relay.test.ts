import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { authenticate } from 'mailauth'
import PostalMime from 'postal-mime'
import { insertVerifiedDomain } from '../../src/domains/insert-verified.ts'
import { createTestApp } from '../app.ts'
import { pluck } from '../pluck.ts'
import { startSink } from '../smtp-sink.ts'

const sink = await startSink()
after(() => sink.close())
const posthorn = await createTestApp({ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: sink.url })

type Record = { type: string; name: string; value: string }

test('an email with attachments arrives at a real SMTP server byte for byte, and its DKIM signature verifies by the published record', async () => {
  const team = await posthorn.team()
  const { app } = posthorn
  const keys = await app.generateDkimKeys()
  const domainId = await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, 'mail.test', keys))
  const content = randomBytes(300_000)
  const attachments = [
    { filename: 'Rechnung für Ada.pdf', content: content.toString('base64') },
    { filename: 'notes.txt', content: Buffer.from('.\r\n..\r\n.\r\n').toString('base64') },
  ]
  const sent = await team.api.post('/v1/emails', {
    from: 'Ädas Shop <hello@mail.test>',
    to: ['Ada <ada@example.com>'],
    bcc: ['audit@example.com'],
    subject: 'Grüße ☃',
    html: '<p>Schön, dass es geht.</p>',
    text: '.\nSchön, dass es geht.\n.',
    attachments,
  })
  assert.deepEqual([sent.status, sent.body.status], [200, 'sent'])
  const message = sink.messages.find(({ messageId }) => messageId === `<${sent.body.id}@mail.test>`)!
  assert.deepEqual(message.to, ['ada@example.com', 'audit@example.com'])
  assert.doesNotMatch(message.raw.toString('latin1'), /audit@example\.com/)

  const parsed = await PostalMime.parse(message.raw)
  assert.equal(parsed.subject, 'Grüße ☃')
  assert.equal(parsed.html?.trim(), '<p>Schön, dass es geht.</p>')
  assert.deepEqual(pluck(parsed.attachments, 'filename'), ['Rechnung für Ada.pdf', 'notes.txt'])
  assert.ok(Buffer.from(parsed.attachments[0]!.content as ArrayBuffer).equals(content))

  const { records } = (await team.api.get(`/v1/domains/${domainId}`)).body as { records: Record[] }
  const resolver = async (name: string, type: string) => {
    const found = records.filter((record) => record.name === name && record.type === type.toLowerCase())
    if (found.length === 0) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return found.map((record) => [record.value])
  }
  const { dkim } = await authenticate(message.raw, {
    resolver,
    trustReceived: false,
    disableArc: true,
    disableBimi: true,
  })
  assert.equal(dkim.results[0]?.status.result, 'pass', JSON.stringify(dkim.results))
})

test('an email whose relay refuses some recipients is sent, and those bounce', async () => {
  const team = await posthorn.team()
  const { app } = posthorn
  const keys = await app.generateDkimKeys()
  await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, 'partial.test', keys))
  const body = { from: 'a@partial.test', to: ['ok@example.com', 'refused@example.com'], subject: 'x' }
  const sent = await team.api.post('/v1/emails', body)
  assert.deepEqual([sent.status, sent.body.status], [200, 'sent'])
  const events = (await team.api.get(`/v1/emails/${sent.body.id}/events`)).body as { type: string; data: unknown }[]
  assert.deepEqual(events.map((event) => event.type).sort(), ['bounced', 'sent'])
  assert.match(JSON.stringify(events.find((event) => event.type === 'bounced')), /refused@example\.com.*550/)
  assert.equal((await team.api.post('/v1/emails', { ...body, to: ['refused@example.com'] })).status, 422)
})
