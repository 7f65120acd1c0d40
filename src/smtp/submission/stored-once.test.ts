import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import type { EmailProvider } from '../../emails/provider.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

/** Takes every message and keeps none, so that the only texts are those that are stored for the email. */
const provider: EmailProvider = {
  name: 'taking',
  signs: false,
  send: async ({ envelope }) => ({ kind: 'answered', accepted: envelope.to, facts: [], response: '250 ok' }),
  close: async () => undefined,
}
const { posthorn, smtps } = await startSubmission({}, { emailProvider: provider })
const base64 = (text: string) => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n')

/**
 * Submits a message with a plain text and an HTML, in base64 and quoted-printable, and an image. Returns the email's
 * id.
 */
async function submit(team: TestTeam, { text = 'Grüße', html = '<p>Hi</p><img src=3D"cid:logo">' } = {}) {
  const part = (lines: string[], body: string) => `--b\r\n${lines.join('\r\n')}\r\n\r\n${body}\r\n`
  const message = [
    `From: hello@${team.domain}\r\nTo: bob@people.test\r\nSubject: Hello\r\n`,
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
    part(['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'], base64(text)),
    part(['Content-Type: text/html', 'Content-Transfer-Encoding: quoted-printable'], html),
    part(
      ['Content-Type: image/png; name=logo.png', 'Content-ID: <logo>', 'Content-Transfer-Encoding: base64'],
      'iVBORw==',
    ),
    '--b--\r\n.',
  ].join('')
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  for (const line of ['MAIL FROM:<>', 'RCPT TO:<bob@people.test>', 'DATA']) await talk.say(line)
  const [, id] = /^250 2\.0\.0 Ok: (\S+)/.exec(await talk.say(message))!
  talk.close()
  return id!
}

async function storedBytes({ id }: TestTeam): Promise<number> {
  await posthorn.runDueJobsAfter(6000)
  const row = posthorn.app.db.selectFrom('email_usage').select('stored_bytes').where('team_id', '=', id)
  return Number((await row.executeTakeFirstOrThrow()).stored_bytes)
}

/** Stores an email as earlier releases did: the message, and its bodies beside it. */
async function storeAsBefore(id: string, text: string) {
  await posthorn.app.transaction(async (tx) => {
    await sql`
      insert into email_sources (team_id, email_id, raw) select team_id, email_id, source from email_contents where email_id = ${id}
    `.execute(tx.db)
    await sql`
      update email_contents set source = null, html = ${`<p>${text}</p>`}, text = ${text} where email_id = ${id}
    `.execute(tx.db)
  })
}

test('a submitted message is stored once, and its email is read with texts, preview and attachments', async () => {
  const team = await posthorn.team()
  const text = 'Grüße '.repeat(2000).trim()
  const id = await submit(team, { text })
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([body.html, body.text, body.status], ['<p>Hi</p><img src="cid:logo">', text, 'sent'])
  const preview = await team.api.get(`/v1/emails/${id}/preview`)
  assert.match(preview.text, /<p>Hi<\/p><img src="data:image\/png;base64,iVBORw=="/)
  const { via, attachments } = (await team.api.get(`/v1/emails/${id}/message`)).body
  assert.deepEqual([via, attachments.length, attachments[0].filename], ['smtp', 1, 'logo.png'])
  assert.equal((await team.api.get(`/v1/emails/${id}/attachments/0`)).headers['content-type'], 'image/png')
  const messageBytes = base64(text).length
  const bytes = await storedBytes(team)
  assert.ok(bytes > messageBytes && bytes < messageBytes + 1500, `${bytes} of ${messageBytes}`)
})

test('the texts of a long submitted message are stored beside it, so that its attachments are not read to see them', async () => {
  const team = await posthorn.team()
  const text = 'Grüße '.repeat(30_000).trim()
  const id = await submit(team, { text })
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.text, text)
  const bytes = await storedBytes(team)
  assert.ok(bytes > base64(text).length + Buffer.byteLength(text), `${bytes}`)
})

test('a submitted email of an earlier release is read from its stored texts, with the attachments of its message', async () => {
  const team = await posthorn.team()
  const id = await submit(team)
  await storeAsBefore(id, 'stored')
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([body.html, body.text], ['<p>stored</p>', 'stored'])
  const { via, attachments } = (await team.api.get(`/v1/emails/${id}/message`)).body
  assert.deepEqual([via, attachments.length], ['smtp', 1])
})

test('the texts of a submitted email read as null once its body is removed, and the bytes are given back', async () => {
  const team = await posthorn.team()
  const id = await submit(team)
  assert.ok((await storedBytes(team)) > 0)
  await (await team.member('owner')).api.patch('/v1/team/retention', { emailBodiesDays: 1 })
  await posthorn.runDueJobsAfter(2 * 86_400_000)
  const { status, body } = await team.api.get(`/v1/emails/${id}`)
  assert.deepEqual([status, body.html, body.text, body.subject], [200, null, null, 'Hello'])
  assert.equal(await storedBytes(team), 0)
})

slowTest(
  'a person is exported and erased who is named in the text of a submitted email, in whatever encoding',
  async () => {
    const team = await posthorn.team()
    const named = [
      await submit(team, { text: 'Write to ada@people.test, please.' }),
      await submit(team, { html: '<p>ada=40people.test</p>' }),
      await submit(team),
    ]
    await storeAsBefore(named[2]!, 'ada@people.test')
    const others = await submit(team, { text: 'Write to nada@people.test, please.' })
    // These are more than a page of the search.
    for (let count = 0; count < 24; count++) await submit(team, { text: 'x '.repeat(45_000) })
    named.push(await submit(team, { text: 'For ada@people.test' }))
    // Its texts are stored beside the message.
    named.push(await submit(team, { text: `${'x '.repeat(100_000)} ADA@people.test` }))
    const ask = async (type: string) => {
      const { body } = await (await team.member('owner')).api.post('/v1/privacy/requests', {
        type,
        email: 'ada@people.test',
      })
      await posthorn.runDueJobs()
      return (await (await team.member('owner')).api.get(`/v1/privacy/requests/${body.id}`)).body
    }
    const exported = await ask('export')
    assert.deepEqual([exported.status, exported.counts.emailBodies], ['done', { found: 5 }])
    const erased = await ask('erase')
    assert.deepEqual([erased.status, erased.counts.emailBodies], ['done', { removed: 5, left: 0 }])
    for (const id of named) {
      const { body } = await team.api.get(`/v1/emails/${id}`)
      assert.deepEqual([body.html, body.text], [null, null])
      assert.deepEqual((await team.api.get(`/v1/emails/${id}/message`)).body.attachments, [])
    }
    assert.equal((await team.api.get(`/v1/emails/${others}`)).body.text, 'Write to nada@people.test, please.')
  },
)
