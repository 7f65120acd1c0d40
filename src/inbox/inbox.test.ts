import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { storeInboxMessage } from './store.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function send(team: TestTeam, email: Record<string, unknown> = {}): Promise<string> {
  const answer = await team.api.post('/v1/emails', {
    from: `Shop <hello@${team.domain}>`,
    to: ['ada@example.com'],
    subject: 'Hello',
    text: 'It works.',
    ...email,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

async function only(team: TestTeam) {
  const listed = await team.api.get('/v1/inbox')
  assert.equal(listed.body.data.length, 1)
  return listed.body.data[0]
}

const subjects = (answer: { body: { data: { subject: string }[] } }) => answer.body.data.map(({ subject }) => subject)

test('a sent email is in the inbox with its parsed parts', async () => {
  const team = await posthorn.team()
  const emailId = await send(team, {
    to: ['Ada Lövelace <ada@example.com>', 'bob@example.com'],
    cc: ['Carol <carol@example.com>', 'dave@example.com'],
    bcc: ['eve@example.com', 'Finn <finn@example.com>'],
    subject: 'Grüße ✓',
    html: '<p>Hällo</p>',
    text: 'Hällo',
    headers: { 'X-Order': '1024', 'X-Name': 'Zoë' },
    attachments: [
      { filename: 'invoice.pdf', content: Buffer.alloc(1234, 7).toString('base64') },
      { filename: 'note.txt', content: Buffer.from('hi').toString('base64'), contentType: 'text/plain' },
      { filename: 'logo.png', content: Buffer.from('png').toString('base64'), contentId: '<logo@shop>' },
    ],
  })
  const listed = await only(team)
  const { id, ...summary } = listed
  assert.deepEqual(summary, {
    emailId,
    from: `Shop <hello@${team.domain}>`,
    to: ['Ada Lövelace <ada@example.com>', 'bob@example.com'],
    subject: 'Grüße ✓',
    createdAt: posthorn.clock.now().toISOString(),
  })
  const { headers, ...message } = (await team.api.get(`/v1/inbox/${id}`)).body
  assert.deepEqual(message, {
    ...listed,
    cc: ['Carol <carol@example.com>', 'dave@example.com'],
    bcc: ['eve@example.com', 'Finn <finn@example.com>'],
    html: '<p>Hällo</p>',
    text: 'Hällo',
    attachments: [
      { filename: 'logo.png', contentType: 'image/png', size: 3 },
      { filename: 'invoice.pdf', contentType: 'application/pdf', size: 1234 },
      { filename: 'note.txt', contentType: 'text/plain', size: 2 },
    ],
  })
  assert.equal(headers['X-Order'], '1024')
  assert.equal(headers['X-Name'], 'Zoë')
  assert.equal(headers.Subject, 'Grüße ✓')
  assert.match(headers['DKIM-Signature'], /v=1/)
  assert.equal(headers.Bcc, undefined)
})

test('missing parts of an email are null or empty', async () => {
  const team = await posthorn.team()
  await send(team)
  const { body } = await team.api.get(`/v1/inbox/${(await only(team)).id}`)
  assert.deepEqual([body.cc, body.bcc, body.html, body.text, body.attachments], [null, null, null, 'It works.', []])
})

test('a request for the raw message gets it byte for byte', async () => {
  const team = await posthorn.team()
  await send(team, { text: 'Grüße\n.\n..\nbye', bcc: ['eve@example.com'] })
  const { id } = await only(team)
  const raw = await team.api.get(`/v1/inbox/${id}`, { accept: 'message/rfc822' })
  assert.equal(raw.status, 200)
  assert.equal(raw.headers['content-type'], 'message/rfc822')
  assert.equal(raw.headers.vary, 'Accept')
  assert.doesNotMatch(raw.text, /[^\r]\n|eve@/)
  assert.equal((await PostalMime.parse(raw.text)).text, 'Grüße\r\n.\r\n..\r\nbye')
  assert.equal((await team.api.get(`/v1/inbox/${id}`)).body.text, 'Grüße\n.\n..\nbye')
  const type = async (accept: string) => (await team.api.get(`/v1/inbox/${id}`, { accept })).headers['content-type']
  for (const accept of [
    'message/rfc822, application/json;q=0.5',
    'Message/RFC822;q=0.9, */*',
    'text/plain, message/rfc822',
  ]) {
    assert.equal(await type(accept), 'message/rfc822', accept)
  }
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, message/rfc822;q=0.5',
    'message/rfc822;q=0',
    'message/*',
    '',
  ]) {
    assert.match((await type(accept))!, /^application\/json/, accept)
  }
})

test('pages are newest first and stay stable while emails arrive', async () => {
  const team = await posthorn.team()
  for (let n = 0; n < 5; n++) await send(team, { subject: `n${n}` })
  const first = await team.api.get('/v1/inbox?limit=2')
  assert.deepEqual([subjects(first), first.body.hasMore], [['n4', 'n3'], true])
  await send(team, { subject: 'late' })
  const second = await team.api.get(`/v1/inbox?limit=2&cursor=${first.body.cursor}`)
  assert.deepEqual(subjects(second), ['n2', 'n1'])
  const last = await team.api.get(`/v1/inbox?limit=2&cursor=${second.body.cursor}`)
  assert.deepEqual([subjects(last), last.body.hasMore, last.body.cursor], [['n0'], false, null])
})

test('search covers subject, from and to in any case; % and _ are ordinary characters', async () => {
  const team = await posthorn.team()
  await send(team, { subject: '100% off_er', to: ['ada@example.com', 'Bob <bob@other.example>'] })
  await send(team, { subject: 'Receipt', from: `Billing <billing@${team.domain}>` })
  const search = async (text: string) => subjects(await team.api.get(`/v1/inbox?search=${encodeURIComponent(text)}`))
  assert.deepEqual(await search('OFF_ER'), ['100% off_er'])
  assert.deepEqual(await search('bob@OTHER'), ['100% off_er'])
  assert.deepEqual(await search('billing'), ['Receipt'])
  assert.deepEqual(await search('ada@'), ['Receipt', '100% off_er'])
  assert.deepEqual(
    [await search('%'), await search('_'), await search('nowhere')],
    [['100% off_er'], ['100% off_er'], []],
  )
})

test('emptying the inbox returns the number of messages, and keeps the messages of other teams', async () => {
  const [ours, theirs] = [await posthorn.team(), await posthorn.team()]
  for (const team of [ours, ours, theirs]) await send(team)
  const emptied = await ours.api.delete('/v1/inbox')
  assert.deepEqual([emptied.status, emptied.body], [200, { deleted: 2 }])
  assert.deepEqual((await ours.api.get('/v1/inbox')).body, { data: [], cursor: null, hasMore: false })
  assert.deepEqual((await ours.api.delete('/v1/inbox')).body, { deleted: 0 })
  await only(theirs)
})

test("another team's message is answered as one that does not exist, raw or not", async () => {
  const [ours, theirs] = [await posthorn.team(), await posthorn.team()]
  await send(theirs)
  const { id } = await only(theirs)
  for (const accept of ['application/json', 'message/rfc822']) {
    const strange = await ours.api.get(`/v1/inbox/${id}`, { accept })
    assert.equal(strange.status, 404)
    assert.deepEqual(strange.body, (await ours.api.get(`/v1/inbox/${unknownId}`, { accept })).body)
  }
  assert.equal((await ours.api.get('/v1/inbox/not-a-uuid')).status, 400)
  assert.equal((await ours.api.get('/v1/inbox?limit=0')).status, 400)
})

test('a sending_access key cannot read the inbox', async () => {
  const team = await posthorn.team()
  const { api } = await team.newKey()
  for (const answer of [
    await api.get('/v1/inbox'),
    await api.get(`/v1/inbox/${unknownId}`),
    await api.delete('/v1/inbox'),
  ]) {
    assert.equal(answer.status, 403)
  }
})

function message(team: TestTeam, raw: string | Buffer, more: { emailId?: string; bcc?: string[] } = {}) {
  const { emailId = posthorn.app.newId(), bcc = [] } = more
  return {
    teamId: team.id,
    emailId,
    domainName: team.domain,
    region: 'us-east-1',
    tls: 'opportunistic' as const,
    messageId: '<a@b.test>',
    envelope: { from: 'a@b.test', to: ['c@d.test'] },
    raw: Buffer.from(raw),
    summary: { from: 'a@b.test', to: ['c@d.test'], bcc, subject: 's' },
    at: posthorn.clock.now(),
  }
}

test('an email handed over again is one entry, as it was the first time', async () => {
  const team = await posthorn.team()
  const emailId = posthorn.app.newId()
  const repeats = Array.from({ length: 10 }, () =>
    storeInboxMessage(posthorn.app, message(team, 'Subject: a\r\n\r\nfirst', { emailId })),
  )
  await Promise.all(repeats)
  await storeInboxMessage(posthorn.app, message(team, 'Subject: a\r\n\r\nsecond', { emailId }))
  const { id } = await only(team)
  assert.match((await team.api.get(`/v1/inbox/${id}`)).body.text, /first/)
})

slowTest('messages that are stored together keep their bytes, large and small', async () => {
  const team = await posthorn.team()
  const sizes = [0, 1, 50, 5_000_000, 7_000_000, 10, 9_000_000, 3, 0]
  const messages = sizes.map((size, index) => message(team, Buffer.alloc(size, index + 65)))
  await Promise.all(messages.map((one) => storeInboxMessage(posthorn.app, one)))
  // Digests, since a busy machine takes long to read 21 MB as text.
  const { rows } = await sql<{ id: string; digest: string }>`
    select email_id as id, encode(sha256(raw), 'hex') as digest from inbox_messages where team_id = ${team.id}
  `.execute(posthorn.app.db)
  const digestOf = (raw: Buffer) => createHash('sha256').update(raw).digest('hex')
  const sent = messages.map(({ emailId, raw }) => [emailId, digestOf(raw)])
  assert.deepEqual(Object.fromEntries(rows.map(({ id, digest }) => [id, digest])), Object.fromEntries(sent))
})

test('mail with malformed MIME is shown as far as possible', async () => {
  const team = await posthorn.team()
  const odd = [
    '',
    '\r\n',
    'no header at all',
    'Subject: only a header',
    ': nameless\r\n\r\nx',
    'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nContent-Type: text/plain\r\n\r\nunclosed',
    'Content-Type: text/html; charset=no-such\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!',
    '__proto__: x\r\nconstructor: y\r\n\r\nz',
    `Content-Type: message/rfc822\r\n\r\nSubject: inner\r\nCc: a@b.test\r\n\r\ninner`,
    `Cc: Team: a@b.test, "B, C" <c@d.test>;\r\nReceived: one\r\nReceived: two\r\n\r\nx`,
    Buffer.from([0x53, 0x3a, 0xff, 0xfe, 0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x80]),
  ]
  for (const raw of odd) {
    const one = message(team, raw)
    await storeInboxMessage(posthorn.app, one)
    const { id } = (await team.api.get('/v1/inbox?limit=1')).body.data[0]
    const answer = await team.api.get(`/v1/inbox/${id}`)
    assert.equal(answer.status, 200, JSON.stringify(raw))
    assert.equal(answer.body.emailId, one.emailId)
    if (String(raw).startsWith('Cc')) {
      assert.deepEqual(answer.body.cc, ['a@b.test', '"B, C" <c@d.test>'])
      assert.equal(answer.body.headers.Received, 'one\ntwo')
    }
    if (String(raw).includes('inner')) assert.equal(answer.body.cc, null)
  }
})
