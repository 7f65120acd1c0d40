import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import PostalMime from 'postal-mime'
import { pluck } from '../../../test/pluck.ts'
import { startSink } from '../../../test/smtp-sink.ts'
import { insertVerifiedDomain } from '../../domains/insert-verified.ts'
import { startSubmission } from './fixtures/start.ts'

const sink = await startSink()
after(() => sink.close())
const { posthorn, ...ports } = await startSubmission({
  EMAIL_PROVIDER: 'smtp',
  SMTP_RELAY_URL: `${sink.url}?tls=none`,
})

type Sender = Awaited<ReturnType<typeof newSender>>
let senders = 0

/** Creates a team with a verified domain. With a relay, the API verifies domains only by DNS. */
async function newSender() {
  const { app } = posthorn
  const { id, key, api } = await posthorn.team()
  const domain = `mail${++senders}.test`
  const keys = await app.generateDkimKeys()
  const domainId = await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, id, domain, keys))
  return { key, api, domain, domainId }
}

/** Sends with nodemailer, by default over TLS from the start, and returns the email's id. */
async function send({ key }: { key: string }, mail: SendMailOptions, port = ports.smtps): Promise<string> {
  const transport = nodemailer.createTransport({
    ...{ host: '127.0.0.1', port, secure: port === ports.smtps, requireTLS: port !== ports.smtps },
    ...{ auth: { user: key, pass: key }, tls: { rejectUnauthorized: false } },
  })
  const { response } = await transport.sendMail(mail)
  transport.close()
  return /^250 2\.0\.0 .*?([0-9a-f-]{36})$/.exec(response)![1]!
}

function mailFrom(team: Sender, more: SendMailOptions = {}): SendMailOptions {
  return { from: `Shop <hello@${team.domain}>`, to: 'ada@example.com', subject: 'Hello', text: 'It works.', ...more }
}

function sunk() {
  return sink.messages.at(-1)!
}

test('a message over either port is an email like any other: read back, signed, delivered', async () => {
  const team = await newSender()
  for (const port of [ports.smtp, ports.smtps]) {
    const id = await send(team, mailFrom(team, { html: '<p>It works.</p>', cc: 'Bob <bob@example.com>' }), port)
    const { body } = await team.api.get(`/v1/emails/${id}`)
    const { createdAt: _, ...email } = body
    assert.deepEqual(email, {
      id,
      from: `Shop <hello@${team.domain}>`,
      to: ['ada@example.com'],
      cc: ['Bob <bob@example.com>'],
      tags: null,
      bcc: null,
      subject: 'Hello',
      html: '<p>It works.</p>',
      text: 'It works.',
      status: 'sent',
      mode: 'live',
      scheduledAt: null,
    })
    const events = await team.api.get(`/v1/emails/${id}/events`)
    assert.deepEqual(pluck(events.body, 'type'), ['sent'])
    const { from, to, raw } = sunk()
    assert.match(from, new RegExp(`^bounce\\+.*@send\\.${team.domain}$`))
    assert.deepEqual(to.toSorted(), ['ada@example.com', 'bob@example.com'])
    assert.match(raw.toString(), new RegExp(`\\r\\nReceived: by localhost with ESMTPSA\\r\\n id ${id};`))
    assert.doesNotMatch(raw.toString(), /127\.0\.0\.1/)
  }
})

test('attachments, inline images and an invitation arrive octet for octet, and the signature holds', async () => {
  const team = await newSender()
  const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7 + (index >> 8)) % 256))
  const id = await send(
    team,
    mailFrom(team, {
      html: '<p>Look: <img src="cid:logo"></p>',
      attachments: [
        { filename: 'Rechnung für Ada.bin', content },
        { filename: 'logo.png', content: content.subarray(0, 5000), cid: 'logo' },
      ],
      icalEvent: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
      headers: { 'X-Order': '42' },
    }),
  )
  const { raw } = sunk()
  const message = await PostalMime.parse(raw)
  const bytesOf = (name: string) =>
    message.attachments.find(({ filename }) => filename === name)!.content as ArrayBuffer
  assert(Buffer.from(bytesOf('Rechnung für Ada.bin')).equals(content))
  assert(Buffer.from(bytesOf('logo.png')).equals(content.subarray(0, 5000)))
  assert(message.attachments.some(({ mimeType }) => mimeType === 'text/calendar'))
  assert.equal(message.headers.find(({ key }) => key === 'x-order')?.value, '42')
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.text, 'It works.')
  await assertSigned(raw, team)
})

async function assertSigned(raw: Buffer, { api, domain, domainId }: Sender): Promise<void> {
  const { body } = await api.get(`/v1/domains/${domainId}`)
  const record = body.records.find(({ name }: { name: string }) => name.includes('_domainkey'))
  const { results } = await dkimVerify(raw, { resolver: async () => [[record.value]] })
  assert.deepEqual(
    results.map(({ status, signingDomain }) => [status.result, signingDomain]),
    [['pass', domain]],
  )
}

test('a signed body with any content arrives octet for octet', async () => {
  const team = await newSender()
  const type = 'multipart/signed; protocol="application/pgp-signature"; micalg=pgp-sha256; boundary="b"'
  const inner = [
    'Content-Type: text/html',
    '',
    '<p>blanks at the end  \t',
    '..',
    '.',
    'From me  ',
    'Grüße <a href="https://x.test">x</a>',
  ]
  const body = [
    '--b',
    ...inner,
    '--b',
    'Content-Type: application/pgp-signature',
    '',
    'none',
    '--b--',
    'epilogue',
    '',
  ].join('\r\n')
  const raw = `From: hello@${team.domain}\r\nContent-Type: ${type}\r\n\r\n${body}`
  await send(team, { raw, envelope: { from: '', to: ['ada@example.com'] } })
  assert.equal(
    sunk()
      .raw.subarray(sunk().raw.indexOf('\r\n\r\n') + 4)
      .toString(),
    body,
  )
  await assertSigned(sunk().raw, team)
})

test('blind recipients get the message, and their addresses are not in it', async () => {
  const team = await newSender()
  const mail = mailFrom(team, { to: 'Ada <ada@example.com>, list@example.com' })
  const envelope = { from: `hello@${team.domain}`, to: ['ADA@example.com', 'eve@example.com'] }
  const id = await send(team, {
    ...mail,
    bcc: 'eve@example.com',
    headers: { 'Resent-Bcc': 'eve@example.com' },
    envelope,
  })
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([body.to, body.cc, body.bcc], [['Ada <ADA@example.com>'], null, ['eve@example.com']])
  assert.deepEqual(sunk().to.toSorted(), ['ADA@example.com', 'eve@example.com'])
  assert.match(sunk().raw.toString(), /^To: Ada <ada@example\.com>, list@example\.com\r$/m)
  assert.doesNotMatch(sunk().raw.toString(), /eve@example/)
})

test('a message with only blind recipients is sent to them', async () => {
  const team = await newSender()
  const id = await send(team, { ...mailFrom(team), to: undefined, bcc: 'eve@example.com' })
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([body.to, body.bcc], [[], ['eve@example.com']])
  assert.deepEqual(sunk().to, ['eve@example.com'])
})

test('the sender’s Message-ID and Date are kept, and ours are added if they are missing', async () => {
  const team = await newSender()
  const date = new Date('2029-03-01T10:00:00Z')
  await send(team, mailFrom(team, { messageId: '<mine@client.test>', date }))
  const own = await PostalMime.parse(sunk().raw)
  assert.deepEqual([own.messageId, own.date], ['<mine@client.test>', '2029-03-01T10:00:00.000Z'])
  const id = await send(team, {
    raw: `From: hello@${team.domain}\r\nMessage-ID: no id\r\n\r\nHello\r\n`,
    envelope: { from: '', to: ['ada@example.com'] },
  })
  const ours = await PostalMime.parse(sunk().raw)
  assert.deepEqual([ours.messageId, ours.date], [`<${id}@${team.domain}>`, posthorn.clock.now().toISOString()])
  assert.match(sunk().raw.toString(), /^MIME-Version: 1\.0\r\n\r\nHello\r\n$/m)
})

test('names in encoded words and texts in other character sets are read as written', async () => {
  const team = await newSender()
  const head = [
    `From: =?utf-8?Q?J=C3=BCrgen_=22x=22?= <hello@${team.domain}>`,
    'To: =?iso-8859-1?Q?Zo=EB?= <ada@example.com>',
    'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
    'Reply-To: Help <help@example.com>',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
  ]
  const id = await send(team, {
    raw: `${head.join('\r\n')}\r\n\r\nGr=FC=DFe\r\n`,
    envelope: { from: '', to: ['ada@example.com'] },
  })
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual(
    [body.from, body.to, body.subject, body.text],
    [`"Jürgen \\"x\\"" <hello@${team.domain}>`, ['Zoë <ada@example.com>'], 'Grüße', 'Grüße'],
  )
})

test('a character cut in two encoded words, and a character set in single quotes, are read as mail programs do', async () => {
  const team = await newSender()
  const head = [
    `From: hello@${team.domain}`,
    'To: ada@example.com',
    'Subject: =?utf-8?B?R3LDvMOf?= =?utf-8?B?ZSDinJPinw==?= =?utf-8?B?tQ==?=',
    "Content-Type: text/plain; charset='iso-8859-1'",
  ]
  const envelope = { from: '', to: ['ada@example.com'] }
  const id = await send(team, { raw: Buffer.from(`${head.join('\r\n')}\r\n\r\nGr\xfc\xdfe\r\n`, 'latin1'), envelope })
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([body.subject, body.text], ['Grüße ✓⟵', 'Grüße'])
})

test('an Idempotency-Key sends a message once, from any number of connections, and is removed from the message', async () => {
  const team = await newSender()
  const mail = mailFrom(team, {
    headers: { 'Idempotency-Key': 'order 42' },
    attachments: [{ filename: 'a.txt', content: 'a' }],
  })
  const before = sink.messages.length
  const ids = await Promise.all([send(team, mail), send(team, mail), send(team, mail)])
  assert.equal(new Set([...ids, await send(team, mail)]).size, 1)
  assert.equal(sink.messages.length, before + 1)
  assert.doesNotMatch(sunk().raw.toString(), /order 42/)
  await assert.rejects(send(team, { ...mail, subject: 'Another' }), /554.*Idempotency-Key was used with another body/)
  await assert.rejects(send(team, { ...mail, headers: { 'Idempotency-Key': 'k'.repeat(256) } }), /554.*Idempotency-Key/)
})
